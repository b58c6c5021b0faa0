import assert from 'node:assert/strict'
import { test } from 'node:test'
import { messageSets } from './message-sets.ts'

test('runs of numbers are ranges', () => {
  const sets = [...messageSets([1, 2, 3, 7, 9, 10])]
  assert.deepEqual(sets, [{ text: '1:3,7,9:10', uids: [1, 2, 3, 7, 9, 10] }])
  assert.deepEqual([...messageSets([])], [])
  assert.deepEqual(
    [...messageSets([4_294_967_295])],
    [{ text: '4294967295', uids: [4_294_967_295] }]
  )
})

test('many numbers with gaps are several sets, which have all of them', () => {
  const uids = Array.from({ length: 100_000 }, (_, index) => 4_000_000_000 + 2 * index)
  const sets = [...messageSets(uids)]
  assert.deepEqual(
    sets.flatMap((set) => set.uids),
    uids
  )
  for (const { text, uids: part } of sets) {
    assert.ok(text.length <= 4000)
    assert.equal(text, part.join(','))
  }
})
