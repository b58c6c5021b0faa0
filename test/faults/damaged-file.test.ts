/** SQLite files that are damaged, are no database, or cannot be written. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  cpSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync
} from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { launchNonet, runNonet, temporaryFolder } from '../support/launcher.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { CAN_MOUNT, smallDisk } from '../support/small-disk.ts'

const limits = { timeout: 300_000 }
const BOX = 'box_0123456789abcdefghij'
const PAGE = 4096
const RECORDS = 100
const FIRST_DAMAGED_PAGE = 40
const REMEDY =
  'move it away and restore a backup with nonet restore, or choose another folder with --data\n'
const UP = ['up', 'boxes', '--port-base=0', '--json']
/** Ends a start that should have failed. */
const NOTHING = ['--', process.execPath, '--eval', '0']

interface Home extends Disposable {
  data: string
  file: string
}

/** With records, not in use; each test has a copy. */
const original = join(scratchFolder(), 'data')

before(async () => {
  await using nonet = await launchNonet(['boxes', '--quiet', `--data=${original}`])
  const posts = Array.from({ length: RECORDS }, () => post(nonet.ready.services.boxes))
  for (const { status } of await Promise.all(posts)) assert.equal(status, 200)
  await nonet.end()
})

function createHome(): Home {
  const folder = temporaryFolder()
  const data = join(folder.path, 'data')
  cpSync(original, data, { recursive: true })
  chmodSync(data, 0o700)
  return { data, file: join(data, 'boxes.sqlite'), [Symbol.dispose]: folder[Symbol.dispose] }
}

async function post(url = ''): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${url}/${BOX}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ pad: 'x'.repeat(3_000) })
  })
  return { status: response.status, body: await response.json() }
}

/** Overwrites records, but not the schema at the beginning of the file. */
function damage(file: string): void {
  const descriptor = openSync(file, 'r+')
  const noise = Buffer.alloc(PAGE / 2, 'damaged ')
  for (let at = FIRST_DAMAGED_PAGE * PAGE; at < statSync(file).size; at += PAGE) {
    writeSync(descriptor, noise, 0, noise.length, at)
  }
  closeSync(descriptor)
}

/** What a command that fails prints. */
async function complaint(data: string, command: readonly string[] = UP): Promise<string> {
  const rest = command === UP ? NOTHING : []
  const { code, stdout, stderr } = await runNonet([...command, `--data=${data}`, ...rest])
  assert.equal(code, 1, stdout + stderr)
  return stderr
}

test('a file that is no database is named, and left as it is', limits, async () => {
  using home = createHome()
  const content = 'not a database '.repeat(1_000)
  writeFileSync(home.file, content)
  const expected = `nonet: ${home.file} is damaged (file is not a database): ${REMEDY}`
  assert.equal(await complaint(home.data), expected)
  assert.equal(await complaint(home.data, ['backup', `${home.data}.nonet`]), expected)
  assert.equal(readFileSync(home.file, 'utf8'), content)
})

test('a file without its end is named, and left as it is', limits, async () => {
  using home = createHome()
  const whole = readFileSync(home.file)
  const part = whole.subarray(0, whole.length - PAGE)
  writeFileSync(home.file, part)
  assert.equal(
    await complaint(home.data),
    `nonet: ${home.file} is damaged (${part.length} of ${whole.length} bytes): ${REMEDY}`
  )
  assert.deepEqual(readFileSync(home.file), part)
})

test('after a kill the whole file is checked before it is written', limits, async () => {
  using home = createHome()
  const nonet = await launchNonet(['boxes', `--data=${home.data}`])
  assert.equal((await post(nonet.ready.services.boxes)).status, 200)
  await nonet.end('SIGKILL')
  damage(home.file)
  const damaged = readFileSync(home.file)
  const text = await complaint(home.data)
  assert.ok(text.startsWith(`nonet: ${home.file} is damaged (`), text)
  assert.ok(text.endsWith(`): ${REMEDY}`), text)
  assert.deepEqual(readFileSync(home.file), damaged)
})

test('damage found while running is 503, reported once, and not written to', limits, async () => {
  using home = createHome()
  damage(home.file)
  const damaged = readFileSync(home.file)
  await using nonet = await launchNonet(['boxes', `--data=${home.data}`])
  const { boxes } = nonet.ready.services
  const expected = {
    message: 'The database file is damaged; the operator must restore a backup',
    code: 'storage_damaged'
  }
  for (let attempt = 0; attempt < 2; attempt++) {
    const read = await fetch(`${boxes}/${BOX}?limit=1000`)
    assert.equal(read.status, 503)
    assert.deepEqual(await read.json(), expected)
    assert.deepEqual(await post(boxes), { status: 503, body: expected })
  }
  const { code, stderr } = await nonet.end()
  assert.equal(code, 0)
  assert.equal(
    stderr,
    `nonet: ${home.file} is damaged (database disk image is malformed): ${REMEDY}`
  )
  assert.deepEqual(readFileSync(home.file), damaged)
  const backup = await complaint(home.data, ['backup', `${home.data}.nonet`])
  assert.ok(backup.endsWith(stderr), backup)
})

test('a folder that cannot be written is named', {
  ...limits,
  skip: !CAN_MOUNT && 'needs root on Linux'
}, async () => {
  using disk = smallDisk(16)
  const data = join(disk.path, 'data')
  await (await launchNonet(['boxes', `--data=${data}`])).end()
  execFileSync('mount', ['-o', 'remount,ro', disk.path])
  const text = await complaint(data)
  assert.match(
    text,
    /^nonet: Cannot use .*boxes\.sqlite\S*: .*; let this user read and write it and its folder .*, or choose another with --data\n$/
  )
})
