import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHeldRequests } from '../../../kernel/held-requests.ts'
import { createFollowers } from './followers.ts'

test('a wait is true only on timeout, whatever the clock shows', async () => {
  const listeners = new Set<() => void>()
  const followers = createFollowers((_, listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, createHeldRequests(1))
  const follower = followers.follow('box', '::1')
  for (let n = 0; n < 20; n++) assert.equal(await follower.wait(1), true)
  const woken = follower.wait(60_000)
  for (const listener of listeners) listener()
  assert.equal(await woken, false)
  const left = follower.wait(60_000)
  follower.end()
  assert.equal(await left, false)
})
