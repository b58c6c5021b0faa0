import assert from 'node:assert/strict'
import { readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { EFFORT } from '../../../test/support/effort.ts'
import { type RawArchive, type RawEntry, rawZip } from '../../../test/support/raw-zip.ts'
import { FILE, readZip, storeZip, TEXT } from '../../../test/support/zip-archives.ts'
import { openZip } from './open-zip.ts'
import { ZipError } from './zip-error.ts'

const NAME = FILE.name
const BOMB: RawEntry = { name: 'bomb', data: Buffer.alloc(3_000_000) }

const layouts: Record<string, [RawEntry, RawArchive?]> = {
  stored: [{ name: NAME, data: TEXT, stored: true }],
  deflated: [{ name: NAME, data: TEXT }],
  'with a data descriptor': [{ name: NAME, data: TEXT, descriptor: 'with signature' }],
  'with a bare data descriptor': [{ name: NAME, data: TEXT, descriptor: 'without signature' }],
  'with zip64 sizes': [{ name: NAME, data: TEXT, zip64: true }],
  'with a zip64 data descriptor': [
    { name: NAME, data: TEXT, zip64: true, descriptor: 'with signature' }
  ],
  'with a zip64 end record': [{ name: NAME, data: TEXT }, { zip64: true }],
  'with an extended zip64 end record': [
    { name: NAME, data: TEXT },
    { zip64: true, zip64Extension: Buffer.from('extension') }
  ],
  'with a comment': [{ name: NAME, data: TEXT }, { comment: Buffer.from('made by hand') }],
  'with a comment that contains a signature': [
    { name: NAME, data: TEXT },
    { comment: Buffer.from(`PK\x05\x06${'x'.repeat(40)}`) }
  ],
  'with the longest comment': [{ name: NAME, data: TEXT }, { comment: Buffer.alloc(0xffff, 'c') }],
  'behind other bytes': [{ name: NAME, data: TEXT }, { prefix: Buffer.alloc(700, '#!sh') }],
  'behind counted bytes': [
    { name: NAME, data: TEXT },
    { prefix: Buffer.alloc(700, '#!sh'), countPrefix: true }
  ],
  'with zip64 behind other bytes': [
    { name: NAME, data: TEXT, zip64: true },
    { zip64: true, prefix: Buffer.alloc(700, '#!sh') }
  ],
  'with other extra fields and padding': [
    {
      name: NAME,
      data: TEXT,
      extra: Buffer.from('UT\x01\x00\x01\0\0'),
      localExtra: Buffer.alloc(3)
    }
  ]
}

for (const [layout, [entry, archive]] of Object.entries(layouts)) {
  test(`an archive is read: ${layout}`, async () => {
    const second = { name: 'data/empty', stored: true }
    const third = { name: 'data/', stored: true }
    const path = storeZip(rawZip([entry, second, third], archive))
    const zip = await openZip(path)
    const listed = zip.entries.map(({ name, size, isFolder }) => ({ name, size, isFolder }))
    assert.deepEqual(listed, [
      { name: NAME, size: TEXT.length, isFolder: false },
      { name: 'data/empty', size: 0, isFolder: false },
      { name: 'data/', size: 0, isFolder: true }
    ])
    assert.equal(zip.find(NAME), zip.entries[0])
    assert.equal(zip.find('data/none'), undefined)
    await zip.close()
    const contents = await readZip(path)
    assert.deepEqual(contents.get(NAME), TEXT)
    assert.deepEqual(contents.get('data/empty'), Buffer.alloc(0))
  })
}

test('an archive without entries is read', async () => {
  assert.equal((await readZip(storeZip(rawZip([])))).size, 0)
})

test('what is not read is not refused', async () => {
  const entries = [{ ...FILE, flags: 1, name: 'secret' }, BOMB, { ...FILE, name: 'last' }]
  const zip = await openZip(storeZip(rawZip(entries)), {
    entryBytes: TEXT.length,
    totalBytes: TEXT.length
  })
  const last = zip.find('last')
  assert.ok(last)
  assert.deepEqual(await buffer(zip.read(last)), TEXT)
  await zip.close()
})

test('a folder cannot be read', async () => {
  const zip = await openZip(storeZip(rawZip([{ name: 'a/', stored: true }])))
  const [entry] = zip.entries
  assert.ok(entry)
  await assert.rejects(buffer(zip.read(entry)), /"a\/" of .* is a folder/)
  await zip.close()
})

/** Whether this process has the file open, on systems that tell. */
function isOpen(path: string): boolean {
  const target = realpathSync(path)
  return readdirSync('/proc/self/fd').some((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === target
    } catch {
      return false
    }
  })
}

test('closing destroys streams and leaves no open file', {
  skip: process.platform !== 'linux'
}, async () => {
  const data = Buffer.from(Array.from({ length: 400_000 }, (_, index) => (index * 7919) % 251))
  for (const stored of [true, false]) {
    const path = storeZip(rawZip([{ name: 'large', data, stored }]))
    const zip = await openZip(path)
    const [entry] = zip.entries
    assert.ok(entry)
    const [unread, begun, left, pending] = [0, 1, 2, 3].map(() => zip.read(entry))
    assert.ok(unread && begun && left && pending)
    for await (const chunk of left) {
      assert.ok(chunk.length > 0)
      break
    }
    await begun[Symbol.asyncIterator]().next()
    const interrupted = assert.rejects(buffer(pending))
    assert.ok(isOpen(path))
    await Promise.all([zip.close(), zip.close()])
    await interrupted
    assert.ok(unread.destroyed && begun.destroyed && left.destroyed)
    assert.ok(!isOpen(path))
    assert.throws(() => zip.read(entry), /is closed/)
  }
  const damagedPath = storeZip(Buffer.from('PK'))
  await assert.rejects(openZip(damagedPath))
  assert.ok(!isOpen(damagedPath))
})

test('no changed byte makes the reader crash or give wrong bytes', async () => {
  const entries: RawEntry[] = [
    { name: 'a', data: Buffer.from('aaaaaaaaaaaaaaab'), descriptor: 'with signature' },
    { name: 'b', data: Buffer.from('stored'), stored: true, zip64: true }
  ]
  const originals = new Map(entries.map(({ name, data }) => [String(name), data]))
  const archive = rawZip(entries, { zip64: true, comment: Buffer.from('end') })
  let refused = 0
  for (let index = 0; index < archive.length; index += 1) {
    for (let bit = 0; bit < Math.min(EFFORT, 8); bit += 1) {
      const bytes = Buffer.from(archive)
      bytes[index] = (bytes[index] ?? 0) ^ (1 << ((index + bit) % 8))
      refused += await countRefused(storeZip(bytes), originals)
    }
  }
  assert.ok(refused > archive.length / 2, `${refused} of ${archive.length}`)
})

/** The number of refusals; everything else must be right. */
async function countRefused(
  path: string,
  originals: Map<string, Buffer | undefined>
): Promise<number> {
  const isRefusal = (error: unknown): undefined => {
    assert.ok(error instanceof ZipError, `${path}: ${error}`)
    return undefined
  }
  const zip = await openZip(path).catch(isRefusal)
  if (zip === undefined) return 1
  let refused = 0
  for (const entry of zip.entries) {
    const bytes: Buffer | undefined = await buffer(zip.read(entry)).catch(isRefusal)
    if (bytes === undefined) refused += 1
    else assert.deepEqual(bytes, originals.get(entry.name), `${path} ${entry.name}`)
  }
  await zip.close()
  return refused
}
