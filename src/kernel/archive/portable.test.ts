import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BackupRow, createDigest, decodeRow, encodeRow, inBatches } from './portable.ts'

const ROW: BackupRow = [
  ...['', 'a\n"\\\u2028\u0000', '😀', '{"base64":"x"}'],
  ...[0, -0, 1.5, 5e-324, Number.MAX_SAFE_INTEGER, Number.POSITIVE_INFINITY, Number.NaN],
  null,
  Uint8Array.of(0, 255, 10),
  new Uint8Array()
]

test('a row is one line and is decoded unchanged', () => {
  const line = encodeRow(ROW)
  assert.ok(!line.includes('\n'))
  assert.deepEqual(decodeRow(line), ROW)
})

test('a digest does not depend on the order, but on every row', () => {
  const digest = (...rows: BackupRow[]) => {
    const made = createDigest()
    made.add(rows)
    return made.value()
  }
  assert.equal(digest([1], ['a'], [null]), digest([null], [1], ['a']))
  assert.notEqual(digest([1], [1]), digest([2], [2]))
  assert.notEqual(digest([1], [2]), digest([1], [2], [2]))
  assert.notEqual(digest(['1']), digest([1]))
  assert.notEqual(digest([0]), digest([-0]))
})

test('batches of large rows have few rows', () => {
  const rows = Array.from({ length: 10 }, () => ['x'.repeat(3_000_000)])
  assert.deepEqual(
    [...inBatches(rows)].map((some) => some.length),
    [2, 2, 2, 2, 2]
  )
  assert.deepEqual(
    [...inBatches(Array.from({ length: 600 }, () => [1]))].map((some) => some.length),
    [256, 256, 88]
  )
})
