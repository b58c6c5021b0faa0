import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHeldRequests } from './held-requests.ts'

const hold = (held: ReturnType<typeof createHeldRequests>, ip: string, times: number) =>
  Array.from({ length: times }, () => held.hold(ip)).filter((release) => release !== undefined)

test('one address gets three quarters of the slots, the others get the rest', () => {
  const held = createHeldRequests(8)
  const releases = hold(held, 'a', 10)
  assert.equal(releases.length, 6)
  assert.equal(hold(held, 'b', 10).length, 2)
  assert.equal(hold(held, 'c', 1).length, 0)
  releases[0]?.()
  releases[0]?.()
  assert.equal(held.count, 7)
  assert.equal(hold(held, 'c', 10).length, 1)
})

test('a slot counts for all services together', () => {
  const all = createHeldRequests(4)
  const one = createHeldRequests(100, all)
  const other = createHeldRequests(100, all)
  const [release] = hold(one, 'a', 2)
  assert.equal(hold(other, 'a', 5).length, 1)
  assert.equal(hold(other, 'b', 5).length, 1)
  assert.deepEqual([all.count, one.count, other.count], [4, 2, 2])
  release?.()
  assert.equal(all.count, 3)
})
