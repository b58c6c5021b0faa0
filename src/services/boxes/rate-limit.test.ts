import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRateLimit } from './rate-limit.ts'

function open(limit: number, maxAddresses?: number) {
  const clock = { time: Date.parse('2020-01-02T03:00:00Z') }
  const count = createRateLimit(limit, () => new Date(clock.time), maxAddresses)
  return { clock, count }
}

test('the window of an address starts with its first request and lasts an hour', () => {
  const { clock, count } = open(2)
  const resetsAt = clock.time / 1000 + 3600
  assert.deepEqual(count('a'), { limit: 2, remaining: 1, resetsAt, wait: 0 })
  clock.time += 600_000
  assert.deepEqual(count('a'), { limit: 2, remaining: 0, resetsAt, wait: 0 })
  assert.deepEqual(count('a'), { limit: 2, remaining: 0, resetsAt, wait: 3000 })
  clock.time += 3_000_000
  assert.equal(count('a').wait, 0)
})

test('addresses are counted apart', () => {
  const { count } = open(1)
  assert.equal(count('a').wait, 0)
  assert.equal(count('b').wait, 0)
  assert.equal(count('a').wait, 3600)
})

test('a flood of addresses forgets the oldest instead of growing', () => {
  const { count } = open(1, 2)
  for (const address of ['a', 'b', 'c']) count(address)
  assert.equal(count('c').wait, 3600)
  assert.equal(count('a').wait, 0)
})
