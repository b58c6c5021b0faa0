import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAttempts } from './attempts.ts'
import { connectDelay, dropDelay } from './backoff.ts'

/** Milliseconds until `check` allows a connection. */
function waitOf(check: () => void): number {
  try {
    check()
    return 0
  } catch (error) {
    const { headers } = error as { headers: { 'retry-after': string } }
    return Number(headers['retry-after']) * 1000
  }
}

test('errors double the time to the next attempt, up to ten minutes', () => {
  assert.deepEqual([1, 2, 3, 4].map(connectDelay), [2000, 4000, 8000, 16_000])
  assert.deepEqual([10, 50, 5000].map(connectDelay), [600_000, 600_000, 600_000])
})

test('the first connection that is lost is replaced at once, further ones later', () => {
  const delays = [1, 2, 3, 4, 20].map((count) => dropDelay(count, () => 0))
  assert.deepEqual(delays, [0, 2000, 3000, 4500, 30_000])
  assert.equal(
    dropDelay(2, () => 1),
    3000
  )
})

test('no attempt is made before its time, with the state in the error', () => {
  let now = 0
  const attempts = createAttempts(() => now)
  attempts.check()
  assert.match(attempts.failed('authenticationError', 'Wrong').message, /Wrong/)
  assert.equal(waitOf(attempts.check), 2000)
  assert.throws(attempts.check, { exactCode: 'AuthenticationFails', statusCode: 503 })
  now = 2000
  attempts.check()
  attempts.failed('connectError', 'Gone')
  assert.throws(attempts.check, { exactCode: 'ConnectionError' })
  assert.equal(waitOf(attempts.check), 4000)
})

test('only connections that are lost soon delay the next one', () => {
  let now = 0
  const attempts = createAttempts(() => now)
  attempts.lost(1000)
  attempts.check()
  attempts.lost(1000)
  assert.throws(attempts.check, { exactCode: 'NoAvailable', body: { state: 'disconnected' } })
  assert.ok(!attempts.isClean())
  now = 10_000
  attempts.lost(6 * 60_000)
  attempts.check()
  assert.ok(attempts.isClean())
})
