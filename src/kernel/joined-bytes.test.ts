import assert from 'node:assert/strict'
import { test } from 'node:test'
import { JoinedBytes } from './joined-bytes.ts'

const LENGTHS = [0, 1, 1, 5000, 3, 4095, 4096, 1, 70_000, 2, 8191, 1]

test('pieces of any length come back in order, and again after take', () => {
  const bytes = new JoinedBytes()
  for (const round of [1, 2]) {
    const pieces = LENGTHS.map((length, index) => Buffer.alloc(length, index + round))
    for (const piece of pieces) bytes.add(piece)
    const whole = Buffer.concat(pieces)
    assert.equal(bytes.size, whole.length)
    assert.ok(bytes.take().equals(whole))
    assert.equal(bytes.size, 0)
  }
})

test('a single piece is not copied, and none is empty', () => {
  const bytes = new JoinedBytes()
  assert.equal(bytes.take().length, 0)
  const piece = Buffer.from('once')
  bytes.add(piece)
  assert.equal(bytes.take(), piece)
})

test('many one-byte pieces take about as much memory as their bytes', () => {
  const bytes = new JoinedBytes()
  const before = process.memoryUsage()
  for (let n = 0; n < 500_000; n++) bytes.add(new Uint8Array([n]))
  const after = process.memoryUsage()
  const grown = after.heapUsed + after.external - before.heapUsed - before.external
  assert.equal(bytes.size, 500_000)
  assert.ok(grown < 50_000_000, `${grown} bytes`)
})

test('short pieces of a large buffer do not keep it', () => {
  const bytes = new JoinedBytes()
  for (let n = 0; n < 100; n++) bytes.add(Buffer.alloc(1024 * 1024, n).subarray(0, 5000))
  const whole = bytes.take()
  assert.equal(whole.length, 500_000)
  assert.equal(whole[499_999], 99)
})
