import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRunningJobs } from './running-jobs.ts'

const claimed = (id: string, fence = 1) => ({
  id,
  event_key: id,
  kind: 'send',
  lane: id,
  payload: '',
  attempts: 1,
  fence,
  created_at: 0
})

test('leases are extended together when a third of one is over, and lost ones are aborted', () => {
  const running = createRunningJobs(300)
  assert.equal(running.nextExtension(), Infinity)
  const first = running.add(claimed('a'), 1_000)
  const second = running.add(claimed('b'), 1_100)
  running.add(claimed('c'), 900).isEnded = true
  assert.equal(running.nextExtension(), 800)
  assert.deepEqual(running.leasesToExtend(799), [])
  const extended = running.leasesToExtend(800)
  assert.deepEqual(
    extended.map(({ id }) => id),
    ['a', 'b']
  )
  running.noteExtended(extended, [{ id: 'b', fence: 1 }], 2_000)
  assert.deepEqual([running.has(first), first.controller.signal.aborted], [false, true])
  assert.deepEqual([running.has(second), second.leaseUntil], [true, 2_000])
  assert.equal(running.size, 2)
})

test('a later lease of the same process replaces the former one', () => {
  const running = createRunningJobs(300)
  const former = running.add(claimed('a'), 1_000)
  const later = running.add(claimed('a', 2), 2_000)
  assert.deepEqual([running.has(former), running.has(later)], [false, true])
  assert.equal(former.controller.signal.aborted, true)
  running.lose(former)
  assert.equal(running.size, 1)
})
