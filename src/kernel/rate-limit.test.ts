import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRateLimit, rateLimitHeaders } from './rate-limit.ts'

const MINUTE_MS = 60_000

function open(limit: number, windowMs: number, maxKeys?: number) {
  const clock = { time: Date.parse('2020-01-02T03:00:00Z') }
  const options = { limit, windowMs, ...(maxKeys === undefined ? {} : { maxKeys }) }
  const count = createRateLimit(options, () => new Date(clock.time))
  /** `retryAfter` of one request after another. */
  const waits = (...keys: string[]) => keys.map((key) => count(key).retryAfter)
  return { clock, count, waits }
}

test('the window of a key starts with its first request', () => {
  const { clock, count } = open(2, 60 * MINUTE_MS)
  const resetsAt = clock.time / 1000 + 3600
  assert.deepEqual(count('a'), { limit: 2, remaining: 1, resetsAt, retryAfter: 0 })
  clock.time += 600_000
  assert.deepEqual(count('a'), { limit: 2, remaining: 0, resetsAt, retryAfter: 0 })
  assert.deepEqual(count('a'), { limit: 2, remaining: 0, resetsAt, retryAfter: 3000 })
  clock.time += 3_000_000
  assert.equal(count('a').retryAfter, 0)
})

test('the wait is rounded up to whole seconds and ends with the window', () => {
  const { clock, waits } = open(2, MINUTE_MS)
  assert.deepEqual(waits('a', 'a', 'a'), [0, 0, 60])
  clock.time += 10_001
  assert.deepEqual(waits('a'), [50])
  clock.time += 49_998
  assert.deepEqual(waits('a'), [1])
  clock.time += 1
  assert.deepEqual(waits('a', 'a', 'a'), [0, 0, 60])
})

test('keys are counted separately', () => {
  const { waits } = open(1, MINUTE_MS)
  assert.deepEqual(waits('a', 'b', 'a', 'b'), [0, 0, 60, 60])
})

test('memory is limited: the key with the oldest window is removed first', () => {
  const { waits } = open(1, MINUTE_MS, 2)
  assert.deepEqual(waits('a', 'b', 'c'), [0, 0, 0])
  assert.deepEqual(waits('b', 'c', 'a'), [60, 60, 0])
})

test('a new window makes a key the newest', () => {
  const { clock, waits } = open(1, MINUTE_MS, 3)
  waits('a')
  clock.time += 30_000
  waits('b')
  clock.time += 30_000
  waits('a', 'c', 'd')
  assert.deepEqual(waits('a', 'c', 'd'), [60, 60, 60])
})

test('headers have the remaining requests, and on a 429 the time to wait', () => {
  const { count } = open(1, MINUTE_MS)
  const headers = {
    'x-ratelimit-limit': '1',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(Date.parse('2020-01-02T03:01:00Z') / 1000)
  }
  assert.deepEqual(rateLimitHeaders(count('a')), headers)
  assert.deepEqual(rateLimitHeaders(count('a')), { ...headers, 'retry-after': '60' })
})
