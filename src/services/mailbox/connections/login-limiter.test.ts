import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLoginLimiter } from './login-limiter.ts'

test('twenty sign-ins to a host need not wait, then there are twenty a second', () => {
  const delayOf = createLoginLimiter(() => 1000)
  const delays = Array.from({ length: 60 }, () => delayOf('a.test', 10_000) ?? -1)
  assert.deepEqual(delays.slice(0, 20), Array(20).fill(0))
  assert.deepEqual(delays.slice(20, 23), [50, 100, 150])
  assert.equal(delays[59], 2000)
})

test('hosts do not wait for each other, and a pause makes up for a burst', () => {
  let now = 0
  const delayOf = createLoginLimiter(() => now)
  for (let count = 0; count < 40; count++) delayOf('a.test', 10_000)
  assert.equal(delayOf('b.test', 0), 0)
  now = 3000
  assert.equal(delayOf('a.test', 0), 0)
})

test('a sign-in that would wait for too long is not counted', () => {
  const delayOf = createLoginLimiter(() => 0)
  for (let count = 0; count < 20; count++) delayOf('a.test', 0)
  assert.equal(delayOf('a.test', 40), undefined)
  assert.equal(delayOf('a.test', 50), 50)
})

test('the number of hosts is limited', () => {
  let now = 0
  const delayOf = createLoginLimiter(() => now)
  for (let host = 0; host < 10_000; host++) delayOf(`${host}.test`, 0)
  assert.equal(delayOf('another.test', 0), undefined)
  now = 100
  assert.equal(delayOf('another.test', 0), 0)
})
