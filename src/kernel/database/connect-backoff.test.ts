import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createConnectBackoff } from './connect-backoff.ts'
import { StorageUnavailable } from './errors.ts'

test('after a failed attempt others are rejected for a while, then one is made again', async () => {
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

test('a successful connection is returned', async () => {
  const pass = createConnectBackoff()
  assert.equal(await pass(async () => 'client'), 'client')
  assert.equal(await pass(async () => 'another'), 'another')
})
