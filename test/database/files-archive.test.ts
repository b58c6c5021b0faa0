/** Backups, restores and copies of a service with files. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { backUp, copy, restore } from '../../src/host/archive.ts'
import { StorageFull } from '../../src/kernel/database/errors.ts'
import { query } from '../../src/kernel/database/transaction.ts'
import { claimLocation } from '../../src/kernel/files/claim.ts'
import { ENGINES } from '../support/engines.ts'
import { temporaryFolder } from '../support/launcher.ts'
import { CAN_MOUNT, smallDisk } from '../support/small-disk.ts'
import {
  addPicture,
  type Home,
  hashOf,
  inChunks,
  openHome,
  PICTURES,
  referencesOf,
  removePicture
} from './pictures.ts'

const quiet = { progress: () => {}, services: [PICTURES] }

/** Nothing, one byte, the bytes of one line of a backup and one more, some megabytes. */
const CONTENTS: Readonly<Record<string, Buffer>> = {
  none: Buffer.alloc(0),
  one: Buffer.from([255]),
  line: randomBytes(64 * 1024),
  more: randomBytes(64 * 1024 + 1),
  large: randomBytes(3_000_000)
}
const HASHES = Object.values(CONTENTS).map(hashOf).sort()

/** Also a file that no row refers to, and one whose row is gone. */
async function fill(home: Home, pictures = CONTENTS): Promise<void> {
  await home.withDatabase(async (database) => {
    assert.equal(await claimLocation(database, home.driver), true)
    for (const [name, bytes] of Object.entries(pictures)) {
      await addPicture(database, name, await home.files.put(inChunks(bytes)))
    }
    await addPicture(database, 'again', await home.files.put(inChunks(CONTENTS.one ?? Buffer.of())))
    await addPicture(database, 'gone', await home.files.put(inChunks(Buffer.from('gone'))))
    await removePicture(database, 'gone')
    await home.files.put(inChunks(Buffer.from('orphan')))
  })
}

/** Rows, and the files whose content has the hash of their name. */
async function contents(home: Home) {
  return home.withDatabase(async (database) => {
    const rows = await database.read(() => query('select name, hash from pictures order by name'))
    const references = await referencesOf(database)
    return { rows: rows.map((row) => ({ ...row })), references, files: storedIn(home) }
  })
}

function storedIn({ root }: Home): string[] {
  if (!existsSync(root)) return []
  const entries = readdirSync(root, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && entry.name.length === 64)
  for (const { name, parentPath } of files) {
    assert.equal(hashOf(readFileSync(join(parentPath, name))), name)
  }
  return files.map(({ name }) => name).sort()
}

const fileOf = ({ storage }: Home) => join(storage.folder, 'backup.nonet')

/** The backup with changed lines and a checksum that matches them. */
function rewrite(file: string, change: (text: string) => string): void {
  const body = gunzipSync(readFileSync(file))
    .toString()
    .replace(/\{"sha256".*\n$/, '')
  const changed = change(body)
  assert.notEqual(changed, body)
  const sha256 = createHash('sha256').update(changed).digest('hex')
  writeFileSync(file, gzipSync(`${changed}${JSON.stringify({ sha256 })}\n`))
}

for (const from of ENGINES) {
  for (const to of ENGINES) {
    test(`files from ${from} to ${to}: backup, restore and copy bring all that rows refer to`, async () => {
      await using source = openHome(from)
      await using target = openHome(to)
      await using second = openHome(from)
      await fill(source)
      const expected = { ...(await contents(source)), files: HASHES }
      const backup = await backUp(source.storage, fileOf(source), quiet)
      assert.deepEqual(backup, { rows: 12, files: 5, lostFiles: 0, neededKeys: [] })
      assert.deepEqual(await restore(fileOf(source), target.storage, quiet), {
        rows: 12,
        files: 5,
        neededKeys: []
      })
      assert.deepEqual(await contents(target), expected)
      const copied = await copy(target.storage, second.storage, quiet)
      assert.deepEqual(copied, { rows: 12, files: 5, lostFiles: 0, neededKeys: [] })
      assert.deepEqual(await contents(second), expected)
      for (const home of [target, second]) {
        assert.ok(!existsSync(`${home.root}.arriving`))
        const isOwn = await home.withDatabase((database) => claimLocation(database, home.driver))
        assert.equal(isOwn, true, 'the restored tables do not know their folder')
      }
    })
  }
}

for (const engine of ENGINES) {
  describe(`files and ${engine}`, () => {
    test('a backup without files is of the older format, and can be restored', async () => {
      await using source = openHome(engine)
      await using target = openHome(engine)
      await source.withDatabase((database) =>
        database.write(() => query("insert into pictures values ('a', 'b')"))
      )
      await backUp(source.storage, fileOf(source), quiet)
      assert.match(gunzipSync(readFileSync(fileOf(source))).toString(), /^\{"nonet-backup":1,/)
      rewrite(fileOf(source), (text) =>
        text
          .replace(/\{"service":"pictures","step":2,"table":"files"[^\n]*\n/, '')
          .replaceAll('"step":2', '"step":1')
      )
      await restore(fileOf(source), target.storage, quiet)
      assert.equal((await contents(target)).rows.length, 1)
    })

    test('a restore into the same folder replaces rows and damaged files', async () => {
      await using home = openHome(engine)
      await fill(home)
      const before = await contents(home)
      await backUp(home.storage, fileOf(home), quiet)
      writeFileSync(home.pathOf(hashOf(CONTENTS.large ?? Buffer.of())), 'damaged')
      rmSync(home.pathOf(hashOf(CONTENTS.one ?? Buffer.of())))
      await restore(fileOf(home), home.storage, { ...quiet, force: true })
      assert.deepEqual(await contents(home), before)
    })

    test('a backup whose files do not fit is refused and changes nothing', async () => {
      await using source = openHome(engine)
      await using target = openHome(engine)
      const { large: _, ...small } = CONTENTS
      await fill(source, small)
      await fill(target, small)
      await backUp(source.storage, fileOf(source), quiet)
      const whole = readFileSync(fileOf(source))
      const before = await contents(target)
      const one = hashOf(CONTENTS.one ?? Buffer.of())
      const changes: Record<string, [change: (text: string) => string, says: RegExp]> = {
        'other content': [(text) => text.replace('"/w=="', '"/g=="'), /does not match its hash/],
        'another hash': [
          (text) => text.replace(`{"file":"${one}"`, `{"file":"${one.replace(/^./, 'x')}"`),
          /should begin a file/
        ],
        'a hash that is too short': [
          (text) => text.replace(`{"file":"${one}"`, '{"file":"abc"'),
          /should begin a file/
        ],
        'a name of another folder': [
          (text) => text.replace(`{"file":"${one}"`, '{"file":"../../../../x"'),
          /should begin a file/
        ],
        'no content': [(text) => text.replace('"/w=="\n', ''), /does not match its hash/],
        'more content': [(text) => text.replace('"/w=="', '"/w=="\n"AAAA"'), /does not match/],
        'another size': [(text) => text.replace('"size":1}', '"size":2}'), /does not match/],
        'a negative size': [(text) => text.replace('"size":1}', '"size":-1}'), /begin a file/],
        'another service': [
          (text) => text.replaceAll(/("file":"[^"]*","service":)"pictures"/g, '$1"boxes"'),
          /boxes has no files/
        ],
        'a table behind the files': [
          (text) => `${text}${/\{"service"[^\n]*"files"[^\n]*\n/.exec(text)?.[0]}`,
          /should begin a file/
        ],
        'content before the first file': [
          (text) => text.replace('{"file"', '"AAAA"\n{"file"'),
          /without a header/
        ]
      }
      for (const [name, [change, says]] of Object.entries(changes)) {
        writeFileSync(fileOf(source), whole)
        rewrite(fileOf(source), change)
        await assert.rejects(
          restore(fileOf(source), target.storage, { ...quiet, force: true }),
          (error: Error) => {
            assert.equal(error.name, 'UserError', `${name}: ${error.stack}`)
            assert.match(error.message, says, name)
            assert.match(error.message, /^Cannot restore from .* nothing was changed$/, name)
            return true
          }
        )
        assert.deepEqual(await contents(target), before, name)
      }
    })

    test('missing and damaged files are counted and omitted', async () => {
      await using source = openHome(engine)
      await using target = openHome(engine)
      await fill(source)
      const [one, large] = [CONTENTS.one, CONTENTS.large].map((bytes) =>
        hashOf(bytes ?? Buffer.of())
      )
      rmSync(source.pathOf(one ?? ''))
      writeFileSync(source.pathOf(large ?? ''), randomBytes(3_000_000))
      const backup = await backUp(source.storage, fileOf(source), quiet)
      assert.deepEqual(backup, { rows: 12, files: 3, lostFiles: 2, neededKeys: [] })
      assert.deepEqual(await restore(fileOf(source), target.storage, quiet), {
        rows: 12,
        files: 3,
        neededKeys: []
      })
      assert.deepEqual(
        storedIn(target),
        HASHES.filter((hash) => hash !== one && hash !== large)
      )
      const again = { ...quiet, force: true }
      assert.equal((await copy(source.storage, target.storage, again)).lostFiles, 2)
    })

    test('a restore that fails at the end leaves no files', async () => {
      await using source = openHome(engine)
      await using target = openHome(engine)
      await fill(source)
      await backUp(source.storage, fileOf(source), quiet)
      const failing = {
        ...quiet,
        progress(done: number, total: number) {
          if (done === total) throw new Error('at the last file')
        }
      }
      await assert.rejects(restore(fileOf(source), target.storage, failing), /at the last file/)
      assert.deepEqual(storedIn(target), [])
      assert.ok(!existsSync(`${target.root}.arriving`))
      await restore(fileOf(source), target.storage, quiet)
      assert.deepEqual(storedIn(target), HASHES)
    })
  })
}

if (ENGINES.includes('postgres')) {
  test('tables that move to PostgreSQL keep their files in the data folder', async () => {
    await using source = openHome('sqlite')
    await using target = openHome('postgres')
    await fill(source)
    const to = { ...target.storage, folder: source.storage.folder }
    assert.deepEqual(await copy(source.storage, to, quiet), {
      rows: 12,
      files: 5,
      lostFiles: 0,
      neededKeys: []
    })
    const isOwn = await target.withDatabase((database) => claimLocation(database, source.driver))
    assert.equal(isOwn, true)
    assert.equal((await contents(source)).files.length, 7)
  })
}

test('a backup to a full disk ends with an error and leaves nothing', {
  skip: CAN_MOUNT ? false : 'needs root on Linux'
}, async () => {
  await using source = openHome('sqlite')
  await fill(source)
  for (const free of [0, 1_000_000]) {
    using disk = smallDisk(2)
    writeFileSync(join(disk.path, 'other'), Buffer.alloc(2 * 1024 * 1024 - free))
    const attempt = backUp(source.storage, join(disk.path, 'backup.nonet'), quiet)
    await assert.rejects(attempt, { code: 'ENOSPC' })
    assert.deepEqual(readdirSync(disk.path), ['other'])
  }
})

test('a restore to a full disk leaves nothing', {
  skip: CAN_MOUNT ? false : 'needs root on Linux'
}, async () => {
  await using source = openHome('sqlite')
  await fill(source)
  await backUp(source.storage, fileOf(source), quiet)
  using disk = smallDisk(2)
  using empty = temporaryFolder()
  const to = { ...source.storage, folder: disk.path }
  await assert.rejects(restore(fileOf(source), to, quiet), StorageFull)
  const entries = readdirSync(disk.path, { recursive: true, withFileTypes: true })
  assert.deepEqual(
    entries.flatMap((entry) =>
      entry.isFile() && !entry.name.endsWith('.lock') ? [entry.name] : []
    ),
    []
  )
  await restore(fileOf(source), { ...to, folder: empty.path }, quiet)
})
