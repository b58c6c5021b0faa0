import assert from 'node:assert/strict'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { scratchFolder } from '../../../test/support/scratch-folder.ts'
import { storeZip, TEXT } from '../../../test/support/zip-archives.ts'
import { openZip } from './open-zip.ts'
import { centralRecord, dataDescriptor, directoryEnd, localHeader } from './records.ts'
import { writeZip } from './write-zip.ts'

const MODIFIED = new Date('2024-02-29T23:59:58Z')
const GIB = 1024 ** 3

test('more than 65,535 entries are written and read', async () => {
  const count = 65_536
  const content = Buffer.from('x')
  const shared = { modified: MODIFIED, method: 0, hasDescriptor: false, end: 0 }
  const known = { ...shared, crc: crc32(content), size: 1, compressedSize: 1 }
  const parts: Buffer[] = []
  const records: Buffer[] = []
  let offset = 0
  for (let index = 0; index < count; index += 1) {
    const entry = { ...known, name: `${index}`, offset }
    const header = localHeader(entry)
    parts.push(header, content)
    records.push(centralRecord(entry))
    offset += header.length + 1
  }
  const directory = Buffer.concat(records)
  const end = directoryEnd(count, offset, directory.length)
  // Without zip64 up to 65,534: the next number is the marker for it.
  assert.equal(directoryEnd(65_534, 0, 0).length, 22)
  assert.equal(directoryEnd(65_535, 0, 0).length, 98)
  const zip = await openZip(storeZip(Buffer.concat([...parts, directory, end])))
  assert.equal(zip.entries.length, count)
  const last = zip.find(`${count - 1}`)
  assert.ok(last)
  assert.deepEqual(await buffer(zip.read(last)), content)
  await zip.close()
})

/** Entries around 4 GiB of zeros, which take no space on the disk. */
async function writeSparse(path: string, crc: number): Promise<void> {
  const shared = { modified: MODIFIED, method: 0, hasDescriptor: true, end: 0 }
  const size = 4 * GIB + 5
  const large = {
    ...shared,
    name: 'video.mp4',
    offset: 0,
    crc,
    size,
    compressedSize: size
  }
  const header = localHeader(large)
  const descriptor = dataDescriptor(large)
  const rest = await buffer(writeZip([{ name: 'tweets.js', modified: MODIFIED, content: TEXT }]))
  const behind = header.length + size + descriptor.length
  const small = rest.subarray(0, rest.indexOf('PK\x01\x02'))
  const sizes = {
    size: TEXT.length,
    compressedSize: rest.readUInt32LE(18),
    crc: rest.readUInt32LE(14)
  }
  const second = {
    ...shared,
    ...sizes,
    name: 'tweets.js',
    offset: behind,
    method: 8,
    hasDescriptor: false
  }
  const directory = Buffer.concat([centralRecord(large), centralRecord(second)])
  const end = directoryEnd(2, behind + small.length, directory.length)
  const file = await open(path, 'w')
  await file.write(header, 0, header.length, 0)
  await file.truncate(header.length + size)
  const tail = Buffer.concat([descriptor, small, directory, end])
  await file.write(tail, 0, tail.length, header.length + size)
  await file.close()
}

test('an entry behind 4 GiB is read, and the entry before it is not', async () => {
  const path = join(scratchFolder(), 'sparse.zip')
  await writeSparse(path, 0)
  const before = process.cpuUsage()
  const zip = await openZip(path)
  const [video, tweets] = zip.entries
  assert.ok(video && tweets)
  assert.equal(video.size, 4 * GIB + 5)
  assert.deepEqual(await buffer(zip.read(tweets)), TEXT)
  const { user, system } = process.cpuUsage(before)
  // Reading 4 GiB takes seconds.
  assert.ok(user + system < 500_000, `${user + system} µs`)
  await assert.rejects(buffer(zip.read(video)), /larger than 4294967296 bytes uncompressed/)
  await zip.close()
})
