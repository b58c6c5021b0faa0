import assert from 'node:assert/strict'
import { test } from 'node:test'
import { needsComparison } from './needs-comparison.ts'

const details = (kind: string, flagsAt = 0) => JSON.stringify({ kind, flagsAt })
const row = {
  ...{ uid_validity: '7', uid_next: 5, highest_modseq: '90', messages: 4 },
  details: details('full')
}
const status = { uidValidity: 7n, uidNext: 5, messages: 4, highestModseq: 90n }
const MINUTE = 60_000

test('a mailbox is compared if its status is unknown or differs', () => {
  assert.equal(needsComparison(row, status, 0), false)
  assert.equal(needsComparison(undefined, status, 0), true)
  assert.equal(needsComparison(row, undefined, 0), true)
  assert.equal(needsComparison(row, {}, 0), true)
  for (const change of [
    { uidValidity: 8n },
    { uidNext: 6 },
    { messages: 3 },
    { highestModseq: 91n }
  ]) {
    assert.equal(needsComparison(row, { ...status, ...change }, 0), true)
  }
})

test('without modification sequences flags are compared after half an hour', () => {
  const plain = { ...row, highest_modseq: null, details: details('full', 10 * MINUTE) }
  const { highestModseq: _, ...told } = status
  assert.equal(needsComparison(plain, told, 39 * MINUTE), false)
  assert.equal(needsComparison(plain, told, 40 * MINUTE), true)
  assert.equal(needsComparison(plain, told, 11 * MINUTE, 10 * MINUTE + 1), true)
  const fast = { ...plain, details: details('fast') }
  assert.equal(needsComparison(fast, told, 99 * MINUTE), false)
})

test('a row without an index is compared', () => {
  assert.equal(needsComparison({ ...row, uid_validity: '' }, status, 0), true)
})
