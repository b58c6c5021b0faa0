import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatUuid } from './uuid.ts'

test('the version and the variant are set, all other bits are those of the bytes', () => {
  const zeros = new Uint8Array(16)
  assert.equal(formatUuid(zeros, 4), '00000000-0000-4000-8000-000000000000')
  const ones = new Uint8Array(20).fill(0xff)
  assert.equal(formatUuid(ones, 5), 'ffffffff-ffff-5fff-bfff-ffffffffffff')
  assert.deepEqual(zeros, new Uint8Array(16), 'the bytes are not changed')
})
