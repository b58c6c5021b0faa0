import assert from 'node:assert/strict'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { test } from 'node:test'
import { createRandom } from '../../../test/support/random.ts'
import { scratchFolder } from '../../../test/support/scratch-folder.ts'
import { readZip, storeZip, TEXT } from '../../../test/support/zip-archives.ts'
import { openZip } from './open-zip.ts'
import { writeZip, type ZipSource } from './write-zip.ts'
import { ZipError } from './zip-error.ts'

const MODIFIED = new Date('2024-02-29T23:59:58Z')

async function* inChunks(bytes: Buffer, length: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += length) {
    yield bytes.subarray(start, start + length)
  }
}

/** Does not compress, and is several blocks of the writer long. */
const LONG = Buffer.from(createRandom(17).bytes(300_000))

function sources(): ZipSource[] {
  return [
    { name: 'whole.txt', modified: MODIFIED, content: TEXT },
    { name: 'whole-stored.txt', modified: MODIFIED, content: TEXT, stored: true },
    { name: 'streamed/a.bin', modified: MODIFIED, content: inChunks(LONG, 7000) },
    { name: 'streamed/b.bin', modified: MODIFIED, content: inChunks(LONG, 7000), stored: true },
    { name: 'empty', modified: MODIFIED, content: new Uint8Array() },
    { name: 'streamed/empty', modified: MODIFIED, content: inChunks(Buffer.alloc(0), 1) },
    { name: 'large', modified: MODIFIED, content: Buffer.alloc(1_100_000, LONG) },
    { name: 'été/写真 😀.txt', modified: new Date(0), content: TEXT },
    { name: 'late', modified: new Date('2200-01-01'), content: TEXT }
  ]
}

test('an archive that was written is read', async () => {
  const contents = await readZip(storeZip(await buffer(writeZip(sources()))))
  assert.deepEqual(
    [...contents.keys()],
    sources().map(({ name }) => name)
  )
  assert.deepEqual(contents.get('whole.txt'), TEXT)
  assert.deepEqual(contents.get('whole-stored.txt'), TEXT)
  assert.deepEqual(contents.get('streamed/a.bin'), LONG)
  assert.deepEqual(contents.get('streamed/b.bin'), LONG)
  assert.deepEqual(contents.get('empty'), Buffer.alloc(0))
  assert.deepEqual(contents.get('streamed/empty'), Buffer.alloc(0))
  assert.deepEqual(contents.get('large'), Buffer.alloc(1_100_000, LONG))
})

test('the same sources give the same bytes in every time zone', async () => {
  const zone = process.env.TZ
  const archives: Buffer[] = []
  try {
    for (const name of ['Pacific/Auckland', 'America/New_York']) {
      process.env.TZ = name
      archives.push(await buffer(writeZip(sources())))
    }
  } finally {
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  }
  const [first, second] = archives
  assert.ok(first && second && first.equals(second))
  // 2024-02-29 23:59:58 in the DOS format, time first.
  assert.equal(first.readUInt16LE(10), (23 << 11) | (59 << 5) | 29)
  assert.equal(first.readUInt16LE(12), (44 << 9) | (2 << 5) | 29)
})

for (const [name, message] of [
  ['../a', /Cannot write a zip archive: the name "\.\.\/a" contains "\.\."/],
  ['/a', /absolute path/],
  ['a/', /name of a folder/],
  ['a', /used twice/],
  ['n'.repeat(65_536), /longer than 65535 bytes/]
] as const) {
  test(`a name is refused: ${name.slice(0, 20)}`, async () => {
    const first = { name: 'a', modified: MODIFIED, content: TEXT }
    const bytes = buffer(writeZip([first, { ...first, name }]))
    await assert.rejects(bytes, (error) => error instanceof ZipError && message.test(error.message))
  })
}

for (const stored of [true, false]) {
  test(`the target sets the speed, ${stored ? 'stored' : 'deflated'}`, async () => {
    let read = 0
    const closed = Promise.withResolvers<void>()
    async function* endless(): AsyncGenerator<Buffer> {
      try {
        for (;;) {
          read += LONG.length
          yield LONG
        }
      } finally {
        closed.resolve()
      }
    }
    const archive = writeZip([{ name: 'a', modified: MODIFIED, content: endless(), stored }])
    for (let chunks = 0; chunks < 3; chunks += 1) await archive.next()
    assert.ok(read < 20 * LONG.length, `${read} bytes were read ahead`)
    await archive.return()
    await closed.promise
  })

  test(`an error of a source ends the archive, ${stored ? 'stored' : 'deflated'}`, async () => {
    async function* broken(): AsyncGenerator<Buffer> {
      yield LONG
      throw new Error('disk failure')
    }
    const archive = writeZip([{ name: 'a', modified: MODIFIED, content: broken(), stored }])
    await assert.rejects(buffer(archive), /disk failure/)
  })
}

test('hundreds of entries are written and read', async () => {
  const names = Array.from({ length: 1100 }, (_, index) => `media/${index}`)
  const many = names.map((name) => ({ name, modified: MODIFIED, content: Buffer.from(name) }))
  const path = join(scratchFolder(), 'many.zip')
  const stored = many.map((source) => ({ ...source, stored: true }))
  await pipeline(writeZip(stored), createWriteStream(path))
  const zip = await openZip(path)
  assert.deepEqual(
    zip.entries.map(({ name }) => name),
    names
  )
  const last = zip.find('media/1099')
  assert.ok(last)
  assert.equal(String(await buffer(zip.read(last))), 'media/1099')
  await zip.close()
})
