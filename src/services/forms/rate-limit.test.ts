import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRateLimit } from './rate-limit.ts'

function clockwork(perMinute: number, maxAddresses?: number) {
  let time = Date.parse('2020-01-02T03:04:05.000Z')
  const limit = createRateLimit(perMinute, () => new Date(time), maxAddresses)
  return {
    limit,
    pass(milliseconds: number) {
      time += milliseconds
    }
  }
}

test('an address gets its share of each minute, counted from its first request', () => {
  const { limit, pass } = clockwork(2)
  assert.deepEqual([limit('a'), limit('a'), limit('a')], [0, 0, 60])
  pass(10_001)
  assert.equal(limit('a'), 50)
  pass(49_998)
  assert.equal(limit('a'), 1)
  pass(1)
  assert.deepEqual([limit('a'), limit('a'), limit('a')], [0, 0, 60])
})

test('addresses do not share', () => {
  const { limit } = clockwork(1)
  assert.deepEqual([limit('a'), limit('b'), limit('a'), limit('b')], [0, 0, 60, 60])
})

test('memory is bounded: the address seen first is forgotten first', () => {
  const { limit } = clockwork(1, 2)
  assert.deepEqual([limit('a'), limit('b'), limit('c')], [0, 0, 0])
  assert.deepEqual([limit('b'), limit('c'), limit('a')], [60, 60, 0])
})

test('a new minute makes an address young again', () => {
  const { limit, pass } = clockwork(1, 3)
  limit('a')
  pass(30_000)
  limit('b')
  pass(30_000)
  for (const address of ['a', 'c', 'd']) limit(address)
  assert.deepEqual([limit('a'), limit('c'), limit('d')], [60, 60, 60])
})
