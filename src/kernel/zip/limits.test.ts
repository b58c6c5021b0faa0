import assert from 'node:assert/strict'
import { finished } from 'node:stream/promises'
import { test } from 'node:test'
import { type RawEntry, rawZip } from '../../../test/support/raw-zip.ts'
import { FILE, named, refuseArchives, storeZip, TEXT } from '../../../test/support/zip-archives.ts'
import { openZip } from './open-zip.ts'

const BOMB: RawEntry = { name: 'bomb', data: Buffer.alloc(3_000_000) }

refuseArchives({
  'too many entries': {
    entries: [FILE, named('b')],
    limits: { entries: 1 },
    problem: 'limit',
    message: /has more than 1 entries; split the archive/
  },
  'a large list': {
    entries: [FILE],
    limits: { directoryBytes: 59 },
    problem: 'limit',
    message: /larger than 59 bytes/
  },
  'a large entry': {
    entries: [FILE],
    limits: { entryBytes: TEXT.length - 1 },
    problem: 'limit',
    message: /larger than 1879 bytes uncompressed; remove it/
  },
  'large entries together': {
    entries: [FILE, named('b')],
    limits: { totalBytes: 2 * TEXT.length - 1 },
    problem: 'limit',
    message: /larger than 3759 bytes together/
  },
  'a declared ratio': {
    entries: [BOMB],
    limits: { ratioFromBytes: 1_000_000 },
    problem: 'limit',
    message: /"bomb" .* expands to more than 250 times its compressed size/
  },
  'a ratio that is not declared': {
    entries: [
      { ...BOMB, descriptor: 'with signature', central: (record) => record.writeUInt32LE(100, 24) }
    ],
    limits: { ratioFromBytes: 10_000 },
    problem: 'limit',
    message: /expands to more than 250 times/
  }
})

test('no more bytes than declared are delivered', async () => {
  const central = (record: Buffer) => record.writeUInt32LE(100, 24)
  const bytes = rawZip([{ ...BOMB, descriptor: 'with signature', central }])
  const zip = await openZip(storeZip(bytes))
  const [entry] = zip.entries
  assert.ok(entry)
  let delivered = 0
  const stream = zip.read(entry).on('data', (chunk: Buffer) => {
    delivered += chunk.length
  })
  await assert.rejects(finished(stream), /size is not the declared one/)
  assert.ok(delivered <= 100, `${delivered}`)
  await zip.close()
})
