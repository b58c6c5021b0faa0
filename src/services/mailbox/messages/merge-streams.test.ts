import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CandidateStream, mergeStreams } from './merge-streams.ts'

function stream(times: Readonly<Record<number, number>>, copies: readonly number[] = []) {
  const uids = Object.keys(times).map(Number)
  const candidates = uids.toSorted((a, b) => b - a).map((uid) => ({ uid, time: times[uid] ?? 0 }))
  return { candidates, copies: new Set(copies) } satisfies CandidateStream
}

function merge(streams: readonly ReturnType<typeof stream>[], most: number) {
  const { chosen, used } = mergeStreams(streams, most)
  return {
    chosen: chosen.map((one) => `${streams.indexOf(one.stream)}:${one.uid}`).join(' '),
    used: streams.map((one) => used.get(one))
  }
}

test('the newest messages of all are chosen', () => {
  const first = stream({ 1: 10, 2: 30, 3: 50 })
  const second = stream({ 7: 20, 8: 40, 9: 60 })
  assert.deepEqual(merge([first, second], 4), { chosen: '1:9 0:3 1:8 0:2', used: [2, 2] })
  assert.deepEqual(merge([first, second], 9), {
    chosen: '1:9 0:3 1:8 0:2 1:7 0:1',
    used: [3, 3]
  })
})

test('a mailbox stays in the order of its UIDs', () => {
  const imported = stream({ 1: 90, 2: 5, 3: 50 })
  assert.equal(merge([imported, stream({ 1: 60, 2: 70 })], 9).chosen, '1:2 1:1 0:3 0:2 0:1')
})

test('copies count as used, but are not chosen', () => {
  const all = stream({ 1: 10, 2: 20, 3: 30, 4: 40 }, [4, 3, 1])
  const other = stream({ 1: 30, 2: 40 })
  assert.deepEqual(merge([other, all], 2), { chosen: '0:2 0:1', used: [2, 2] })
  assert.deepEqual(merge([other, all], 3), { chosen: '0:2 0:1 1:2', used: [2, 4] })
})

test('nothing is chosen from nothing', () => {
  assert.deepEqual(merge([], 5), { chosen: '', used: [] })
  assert.deepEqual(merge([stream({}), stream({ 1: 1 }, [1])], 5), { chosen: '', used: [0, 1] })
})
