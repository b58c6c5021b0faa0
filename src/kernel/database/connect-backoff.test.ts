import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createConnectBackoff } from './connect-backoff.ts'
import { StorageUnavailable } from './errors.ts'

test('after a failed attempt nobody else tries for a while, then it is tried again', async () => {
  const pass = createConnectBackoff()
  let attempts = 0
  const failing = async () => {
    attempts += 1
    throw new Error('refused')
  }
  await assert.rejects(pass(failing), StorageUnavailable)
  await assert.rejects(pass(failing), StorageUnavailable)
  assert.equal(attempts, 1)
  while (attempts === 1) await pass(failing).catch(() => new Promise(setImmediate))
  assert.equal(attempts, 2)
})

test('what connects passes', async () => {
  const pass = createConnectBackoff()
  assert.equal(await pass(async () => 'client'), 'client')
  assert.equal(await pass(async () => 'another'), 'another')
})
