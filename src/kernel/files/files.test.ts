import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { scratchFolder } from '../../../test/support/scratch-folder.ts'
import { createFiles, FileTooLarge } from './files.ts'
import { openFileFolder } from './folder.ts'

const NEVER = 'f'.repeat(64)

function openScratch() {
  const root = join(scratchFolder(), 'service', 'files')
  const driver = openFileFolder(root, { durable: true })
  return { root, driver, files: createFiles(driver) }
}

async function* inChunks(bytes: Uint8Array, size = 7): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

function namesIn(root: string): string[] {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true })
  return entries.flatMap((entry) => (entry.isFile() ? [entry.name] : [])).sort()
}

test('a file is stored under the hash of its content, only for its owner', async () => {
  const { root, files } = openScratch()
  const contents = [Buffer.alloc(0), Buffer.from('a'), randomBytes(300_000)]
  for (const bytes of contents) {
    const stored = await files.put(inChunks(bytes, 65_536))
    assert.deepEqual(stored, { hash: hashOf(bytes), size: bytes.length })
    assert.equal(await files.size(stored.hash), bytes.length)
    const path = join(root, stored.hash.slice(0, 2), stored.hash)
    assert.equal(statSync(path).mode & 0o777, 0o600)
    assert.equal(statSync(join(path, '..')).mode & 0o777, 0o700)
    const opened = await files.open(stored.hash)
    assert.deepEqual(Buffer.concat((await opened?.stream.toArray()) ?? []), bytes)
  }
  assert.deepEqual(namesIn(root), contents.map(hashOf).sort())
})

test('a range includes its first and last byte', async () => {
  const { files } = openScratch()
  const { hash } = await files.put(inChunks(Buffer.from('0123456789')))
  const ranges: [start: number, end: number, text: string][] = [
    [0, 0, '0'],
    [3, 5, '345'],
    [9, 9, '9'],
    [8, 100, '89'],
    [0, 9, '0123456789']
  ]
  for (const [start, end, text] of ranges) {
    const opened = await files.open(hash, { start, end })
    assert.equal(opened?.size, 10)
    assert.equal(String(Buffer.concat((await opened?.stream.toArray()) ?? [])), text)
  }
})

test('what is not stored is undefined, and removing it is no error', async () => {
  const { files } = openScratch()
  for (const hash of [NEVER, '', '../../x', NEVER.toUpperCase()]) {
    assert.equal(await files.open(hash), undefined)
    assert.equal(await files.size(hash), undefined)
    assert.equal(await files.keep(hash), undefined)
  }
  await files.remove(NEVER)
  const { hash } = await files.put(inChunks(Buffer.from('a')))
  await files.remove(hash)
  assert.equal(await files.open(hash), undefined)
})

test('a source that is too large or fails leaves nothing', async () => {
  const { root, files } = openScratch()
  const bytes = randomBytes(100)
  assert.equal((await files.put(inChunks(bytes), { maxBytes: 100 })).size, 100)
  await assert.rejects(files.put(inChunks(randomBytes(101)), { maxBytes: 100 }), (error) => {
    assert.ok(error instanceof FileTooLarge)
    assert.equal(error.message, 'The file is larger than 100 bytes')
    return true
  })
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield randomBytes(10)
    throw new Error('the client has gone')
  }
  await assert.rejects(files.put(broken()), /the client has gone/)
  assert.deepEqual(namesIn(root), [hashOf(bytes)])
})

test('the same content is stored once, also by many at the same time', async () => {
  const { root, files } = openScratch()
  const bytes = randomBytes(50_000)
  const stored = await Promise.all(
    Array.from({ length: 30 }, () => files.put(inChunks(bytes, 999)))
  )
  for (const { hash } of stored) assert.equal(hash, hashOf(bytes))
  assert.deepEqual(namesIn(root), [hashOf(bytes)])
})

test('a second put gives the file a new time and repairs one of another size', async () => {
  const { root, files } = openScratch()
  const bytes = Buffer.from('abc')
  const { hash } = await files.put(inChunks(bytes))
  const path = join(root, hash.slice(0, 2), hash)
  utimesSync(path, 1, 1)
  await files.put(inChunks(bytes))
  assert.ok(Date.now() - statSync(path).mtimeMs < 60_000)
  utimesSync(path, 1, 1)
  assert.equal(await files.keep(hash), 3)
  assert.ok(Date.now() - statSync(path).mtimeMs < 60_000)
  writeFileSync(path, 'a')
  await files.put(inChunks(bytes))
  assert.equal(await files.size(hash), 3)
})

test('an id tells the folder from others, also if several create it', async () => {
  const { root, driver } = openScratch()
  assert.equal(await driver.id(), undefined)
  const drivers = Array.from({ length: 10 }, () => openFileFolder(root, { durable: false }))
  const ids = new Set(await Promise.all(drivers.map((one) => one.createId())))
  assert.equal(ids.size, 1)
  assert.ok(ids.has((await driver.id()) ?? ''))
  assert.notEqual(await openScratch().driver.createId(), await driver.id())
  assert.deepEqual(namesIn(root), ['folder-id'])
})
