import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SendRequest, SendResponse } from './config.ts'
import { limitParallel } from './parallel.ts'

const REQUEST: SendRequest = {
  method: 'POST',
  headers: {},
  body: '',
  timeoutMs: 1000,
  maxBytes: 1
}

/** Requests that end when the test calls `finish` or `fail`, at most `limit` at a time. */
function queue(limit: number) {
  const started: { url: string; timeoutMs: number; finish: () => void; fail: () => void }[] = []
  const send = limitParallel((url, { timeoutMs }) => {
    const { promise, resolve, reject } = Promise.withResolvers<SendResponse>()
    const finish = () => resolve(new Response())
    started.push({ url, timeoutMs, finish, fail: () => reject(new Error('failed')) })
    return promise
  }, limit)
  return { started, send, names: () => started.map(({ url }) => url) }
}

/** Waits until pending callbacks have run. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

test('requests beyond the limit wait in order', async () => {
  const { started, send, names } = queue(2)
  const calls = ['a', 'b', 'c', 'd'].map((url) => send(url, REQUEST))
  await settle()
  assert.deepEqual(names(), ['a', 'b'])
  started[1]?.finish()
  await settle()
  assert.deepEqual(names(), ['a', 'b', 'c'])
  for (const { finish } of started) finish()
  await settle()
  assert.deepEqual(names(), ['a', 'b', 'c', 'd'])
  started[3]?.finish()
  await Promise.all(calls)
})

test('a failed request lets the next one start', async () => {
  const { started, send, names } = queue(1)
  const failing = send('a', REQUEST)
  const waiting = send('b', REQUEST)
  await settle()
  started[0]?.fail()
  await assert.rejects(failing)
  await settle()
  assert.deepEqual(names(), ['a', 'b'])
  started[1]?.finish()
  await waiting
  const later = send('c', REQUEST)
  await settle()
  started[2]?.finish()
  await later
})

test('a request that waits too long is removed, and waiting reduces the timeout', async () => {
  const { started, send, names } = queue(1)
  const running = send('a', REQUEST)
  const impatient = send('b', { ...REQUEST, timeoutMs: 30 })
  const patient = send('c', REQUEST)
  await assert.rejects(impatient, (error) => Object(error).code === 'TIMEOUT')
  started[0]?.finish()
  await running
  await settle()
  assert.deepEqual(names(), ['a', 'c'])
  const budget = started[1]?.timeoutMs ?? 0
  assert.ok(budget > 0 && budget <= 975, String(budget))
  started[1]?.finish()
  await patient
})
