import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { findDecoder } from './content-decoding.ts'

const TEXT = 'packed '.repeat(200)

for (const [coding, pack] of [
  ['gzip', gzipSync],
  ['X-GZIP', gzipSync],
  ['deflate', deflateSync],
  [' br ', brotliCompressSync],
  ['zstd', zstdCompressSync]
] as const) {
  test(`${coding} is decoded under a limit`, async () => {
    const decode = await findDecoder(coding)
    assert.ok(decode)
    const bytes = pack(TEXT)
    assert.equal(String(await decode(bytes, { maxOutputLength: TEXT.length })), TEXT)
    const tooLarge = { code: 'ERR_BUFFER_TOO_LARGE' }
    await assert.rejects(decode(bytes, { maxOutputLength: TEXT.length - 1 }), tooLarge)
    await assert.rejects(decode(Buffer.from('not packed'), { maxOutputLength: 100 }))
  })
}

test('other codings are not known', async () => {
  for (const coding of ['', 'identity', 'compress', 'gzip, br', 'constructor']) {
    assert.equal(await findDecoder(coding), undefined, coding)
  }
})
