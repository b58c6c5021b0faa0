import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { configure } from '../../src/host/configuration.ts'
import type { Diagnosis } from '../../src/host/diagnosis.ts'
import { allServices } from '../../src/host/service-registry.ts'
import { diagnoseStorage } from '../../src/host/storage-diagnosis.ts'
import type { Database } from '../../src/kernel/database/database.ts'
import { openDatabase } from '../../src/kernel/database/open.ts'
import { insertRow } from '../../src/kernel/database/transaction.ts'
import { ROOT, runNonet, temporaryFolder } from '../support/launcher.ts'
import { freePortBase } from '../support/ports.ts'
import { CAN_MOUNT, smallDisk } from '../support/small-disk.ts'

const boxes = allServices.find(({ name }) => name === 'boxes')
assert.ok(boxes?.migrations)
const { migrations } = boxes
const VERSION = migrations.length
const runFile = promisify(execFile)
const LEFT_OUT = (process.env.NONET_TEST_WITHOUT ?? '').split(',').includes('tmpfs')

describe('doctor and the files of a data folder', () => {
  const folder = temporaryFolder()
  const data = join(folder.path, 'data')
  const file = join(data, 'boxes.sqlite')
  let database: Database

  before(async () => {
    mkdirSync(data)
    database = await openDatabase({ engine: 'sqlite', file, durable: false }, schemaOf(migrations))
    await database.write(() => insertRow('boxes', { id: 'b', created: 1, pk: 1 }))
  })
  after(async () => {
    await database.close()
    folder[Symbol.dispose]()
  })

  function schemaOf(some: typeof migrations) {
    return { service: 'boxes', migrations: some }
  }

  /** The finding about the tables of boxes; nothing in the folder may change. */
  async function diagnose(path: string): Promise<Diagnosis | undefined> {
    const state = fingerprint(path)
    const findings = await diagnoseStorage(configure({ data: path }))
    assert.deepEqual(fingerprint(path), state, 'doctor changed the folder')
    return findings.find(({ what }) => what.startsWith('tables of boxes'))
  }

  function fingerprint(path: string): Record<string, string> {
    const hash = (name: string) =>
      createHash('sha256')
        .update(readFileSync(join(path, name)))
        .digest('hex')
    // Readers of a file that is in use set marks in its index.
    const names = readdirSync(path).filter((name) => path !== data || !name.endsWith('-shm'))
    return Object.fromEntries(names.map((name) => [name, hash(name)]))
  }

  /** A copy as after a crash, with the log that was not merged yet. */
  function crashed(name: string, ends: readonly string[]): string {
    const copy = join(folder.path, name)
    mkdirSync(copy)
    for (const end of ends) copyFileSync(`${file}${end}`, join(copy, `boxes.sqlite${end}`))
    return copy
  }

  test('a sound file is read without a change: in use, after a crash and without its index', async () => {
    const note = `version ${VERSION}`
    for (const path of [
      data,
      crashed('crashed', ['', '-wal', '-shm']),
      crashed('without-index', ['', '-wal'])
    ]) {
      const what = `tables of boxes in ${join(path, 'boxes.sqlite')}`
      assert.deepEqual(await diagnose(path), { ok: true, what, note })
    }
  })

  test('a closed file of another version is named with its version', async () => {
    const open = async (name: string, some: typeof migrations) => {
      const path = join(folder.path, name)
      const location = {
        engine: 'sqlite',
        file: join(path, 'boxes.sqlite'),
        durable: false
      } as const
      await (await openDatabase(location, schemaOf(some))).close()
      return path
    }
    const older = await diagnose(await open('older', migrations.slice(0, 1)))
    assert.equal(older?.note, `version 1, migrated to ${VERSION} at the next start`)
    const newer = await diagnose(
      await open('newer', [...migrations, 'create table more (id text)'])
    )
    assert.match(
      newer?.advice ?? '',
      /newer version of nonet .*: use that version, or choose other/
    )
  })

  test('a damaged file is named with the way out', async () => {
    const damaged = crashed('damaged', ['', '-wal'])
    const whole = readFileSync(join(damaged, 'boxes.sqlite'))
    const cases: Record<string, Buffer> = {
      'no database': Buffer.from('{"a":1}\n'.repeat(2000)),
      'cut off': whole.subarray(0, 5000),
      'other bytes': Buffer.concat([whole.subarray(0, 4096), Buffer.alloc(whole.length - 4096, 7)])
    }
    rmSync(join(damaged, 'boxes.sqlite-wal'))
    for (const [name, bytes] of Object.entries(cases)) {
      writeFileSync(join(damaged, 'boxes.sqlite'), bytes)
      const found = await diagnose(damaged)
      assert.equal(found?.ok, false, name)
      assert.match(
        found.advice ?? '',
        /boxes\.sqlite is damaged or not a file of nonet \(.+\); move it away and restore a backup/
      )
    }
    writeFileSync(join(damaged, 'boxes.sqlite'), '')
    assert.equal((await diagnose(damaged))?.note, 'created at the first start', 'an empty file')
  })

  const skip = process.platform === 'win32' && 'Windows has no modes'
  test('what the user may not write is named with the way out', { skip }, async () => {
    const locked = crashed('locked', [''])
    chmodSync(folder.path, 0o755)
    chmodSync(join(locked, 'boxes.sqlite'), 0o444)
    chmodSync(locked, 0o555)
    const source = (name: string) => JSON.stringify(join(ROOT, 'src/host', name))
    // All is imported before the rights of root, which no mode limits, are given up.
    const script = `import { configure } from ${source('configuration.ts')}
      import { diagnoseStorage } from ${source('storage-diagnosis.ts')}
      if (process.getuid?.() === 0) { process.setgid(65534); process.setuid(65534) }
      const findings = []
      for (const data of process.argv.slice(1)) findings.push(...await diagnoseStorage(configure({ data })))
      console.log(JSON.stringify(findings.filter(({ ok }) => !ok).map(({ advice }) => advice)))`
    const file = join(locked, 'boxes.sqlite')
    const args = ['--input-type=module', '--eval', script, '--', locked, join(file, 'below')]
    const { stdout } = await runFile(process.execPath, args)
    const [inFolder, inFile, below, ...others] = JSON.parse(stdout)
    assert.match(inFolder, /EACCES.*; give the user who runs nonet the rights to it, or choose/)
    assert.equal(
      inFile,
      `${file} cannot be read and written (EACCES); give the user who runs nonet the rights to it`
    )
    assert.equal(below, `${file} is not a folder; choose another with --data`)
    assert.deepEqual(others, [])
  })
})

test('a disk that is nearly full is named with its free space', {
  skip: LEFT_OUT || !CAN_MOUNT
}, async () => {
  using disk = smallDisk(8)
  const [folder] = await diagnoseStorage(configure({ data: join(disk.path, 'data') }))
  assert.equal(
    folder?.advice,
    'only 8 MB is free on its disk; free some space or choose another with --data'
  )
})

test('the URL of another kind of database is refused', async () => {
  using folder = temporaryFolder()
  const given = { data: folder.path, database: 'mysql://user@host/name' }
  const findings = await diagnoseStorage(configure(given))
  assert.deepEqual(
    findings.filter(({ ok }) => !ok).map(({ advice }) => advice),
    ['--database must be a URL such as postgres://user@host/name']
  )
})

test('doctor --lan is content without IPv6, as up is', async () => {
  using folder = temporaryFolder()
  // The kernel of a machine without IPv6 knows no such family of addresses.
  const preload = join(folder.path, 'without-ipv6.mjs')
  writeFileSync(
    preload,
    `import { Server } from 'node:net'
const { listen } = Server.prototype
Server.prototype.listen = function (options, ...rest) {
  if (options?.host !== '::') return listen.call(this, options, ...rest)
  const error = Object.assign(new Error('listen EAFNOSUPPORT'), { code: 'EAFNOSUPPORT', syscall: 'listen' })
  process.nextTick(() => this.emit('error', error))
  return this
}
`
  )
  const port = await freePortBase()
  const { code, stdout } = await runNonet(
    ['doctor', 'reference', '--lan', `--port=reference=${port}`, '--no-console'],
    { cwd: folder.path, env: { NODE_OPTIONS: `--import=${preload}` } }
  )
  assert.ok(stdout.includes(`ok       port ${port} for reference\n`), stdout)
  assert.equal(code, 0, stdout)
})

test('a port that is not for HTTP is looked at where its own setting says', async (context) => {
  using folder = temporaryFolder()
  const base = await freePortBase()
  const taken = createServer()
  context.after(() => taken.close())
  await once(taken.listen(base + 143, '127.0.0.1'), 'listening')
  const args = ['doctor', 'mailbox', `--port-base=${base}`, '--no-console']
  const busy = await runNonet(args, { cwd: folder.path })
  const advice = 'EADDRINUSE; choose another with --port mailbox-imap=N'
  assert.ok(busy.stdout.includes(`problem  port ${base + 143} for mailbox-imap: ${advice}\n`))
  assert.ok(busy.stdout.includes(`ok       port ${base + 25} for mailbox-smtp\n`), busy.stdout)
  assert.equal(busy.code, 1)
  const moved = await runNonet([...args, '--mailbox-sandbox-host=::1'], { cwd: folder.path })
  assert.ok(moved.stdout.includes(`ok       port ${base + 143} for mailbox-imap\n`), moved.stdout)
})
