/** Files of a service and the rows that refer to them. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, test } from 'node:test'
import type { Database } from '../../src/kernel/database/database.ts'
import { StorageFull } from '../../src/kernel/database/errors.ts'
import { createFiles } from '../../src/kernel/files/files.ts'
import { openFileFolder } from '../../src/kernel/files/folder.ts'
import { sweepFiles } from '../../src/kernel/files/sweep.ts'
import { addReferences, releaseReferences } from '../../src/kernel/files/table.ts'
import { ENGINES } from '../support/engines.ts'
import { ROOT, temporaryFolder } from '../support/launcher.ts'
import { CAN_MOUNT, smallDisk } from '../support/small-disk.ts'
import { later, put, testRemovals, testSweeps } from './files-tables.ts'
import { addPicture, hashOf, inChunks, openHome, referencesOf } from './pictures.ts'

function storedIn(root: string): string[] {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true })
  return entries.flatMap((entry) => (entry.isFile() ? [entry.name] : [])).sort()
}

for (const engine of ENGINES) {
  describe(`references on ${engine}`, () => {
    test('are counted with the rows that refer, and taken back with them', async () => {
      await using home = openHome(engine)
      await home.withDatabase(async (database) => {
        const [a, b] = [await put(home, Buffer.from('a')), await put(home, Buffer.from('b'))]
        const rows = Array.from({ length: 300 }, (_, index) => ({
          hash: hashOf(Buffer.from(`c${index}`)),
          size: index
        }))
        await addPicture(database, 'one', a)
        await database.write(() => addReferences([a, b, a, ...rows]))
        await database.write(() => addReferences([]))
        const failing = database.write(function* () {
          yield* addReferences([a, b])
          throw new Error('rolled back')
        })
        await assert.rejects(failing, /rolled back/)
        const counts = await referencesOf(database)
        assert.equal(Object.keys(counts).length, 302)
        assert.deepEqual([counts[a.hash], counts[b.hash]], [3, 1])
        await database.write(() =>
          releaseReferences([a.hash, a.hash, b.hash, ...rows.map(({ hash }) => hash)])
        )
        const left = await referencesOf(database)
        assert.deepEqual([left[a.hash], left[b.hash], left[rows[299]?.hash ?? '']], [1, 0, 0])
        // More references than were added would hide that a file is in use.
        await assert.rejects(database.write(() => releaseReferences([b.hash])))
      })
    })

    test('concurrent transactions count each reference', async () => {
      await using home = openHome(engine)
      await home.withDatabase(async (database) => {
        const files = await Promise.all(['a', 'b', 'c'].map((text) => put(home, Buffer.from(text))))
        await Promise.all(
          Array.from({ length: 30 }, (_, index) =>
            database.write(() => addReferences(index % 2 === 0 ? files : files.toReversed()))
          )
        )
        assert.deepEqual(Object.values(await referencesOf(database)), [30, 30, 30])
      })
    })
  })

  testSweeps(`a sweep on ${engine}`, engine, openHome)
}

testRemovals('a file whose removal has begun', (engine) => openHome(engine))

test('a file whose removal has begun comes back if the process was killed', async () => {
  await using home = openHome('sqlite')
  const { hash } = await put(home, Buffer.from('abc'))
  renameSync(home.pathOf(hash), join(home.root, `${hash}.removing`))
  await home.driver.removeLeftovers(0)
  assert.deepEqual(storedIn(home.root), [hash])
})

test('kill -9 leaves whole files and leftovers that a sweep removes', async () => {
  await using home = openHome('sqlite')
  const child = spawn(process.execPath, [join(ROOT, 'test/support/put-files.ts'), home.root], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const acknowledged: string[] = []
  for await (const line of createInterface(child.stdout)) {
    acknowledged.push(line)
    if (acknowledged.length === 60) child.kill('SIGKILL')
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  const names = storedIn(home.root)
  const whole = names.filter((name) => name.length === 64)
  assert.ok(names.length > whole.length, 'no file was incomplete')
  for (const hash of whole) assert.equal(hashOf(readFileSync(home.pathOf(hash))), hash)
  for (const hash of acknowledged) assert.ok(whole.includes(hash))
  await home.withDatabase(async (database: Database) => {
    assert.deepEqual(await sweepFiles(database, home.driver), { files: 0, leftovers: 0 })
    assert.deepEqual(await sweepFiles(database, home.driver, later()), {
      files: whole.length,
      leftovers: names.length - whole.length
    })
  })
  assert.deepEqual(storedIn(home.root), [])
})

test('a full disk refuses a file, leaves nothing of it, and keeps the others', {
  skip: CAN_MOUNT ? false : 'needs root on Linux'
}, async () => {
  using disk = smallDisk(3)
  const root = join(disk.path, 'files')
  const files = createFiles(openFileFolder(root, { durable: true }))
  const { hash } = await files.put(inChunks(randomBytes(1_000_000)))
  await assert.rejects(files.put(inChunks(randomBytes(4_000_000))), StorageFull)
  assert.deepEqual(storedIn(root), [hash])
  assert.equal((await files.put(inChunks(randomBytes(1_000_000)))).size, 1_000_000)
})

test('what is kept for deletions on a full disk is not used for files', async () => {
  using folder = temporaryFolder()
  let isFull = true
  const driver = openFileFolder(join(folder.path, 'files'), { durable: true })
  const files = createFiles(driver, { isFull: () => isFull })
  await assert.rejects(files.put(inChunks(Buffer.from('a'))), StorageFull)
  assert.deepEqual(storedIn(folder.path), [])
  isFull = false
  assert.equal((await files.put(inChunks(Buffer.from('a')))).size, 1)
})
