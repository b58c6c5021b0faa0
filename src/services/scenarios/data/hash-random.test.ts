import assert from 'node:assert/strict'
import { test } from 'node:test'
import { draw, drawBetween, isChosen } from './hash-random.ts'

test('a draw depends on all of its arguments and on nothing else', () => {
  assert.equal(draw('42', 'flaky', 1), draw('42', 'flaky', 1))
  const others = [draw('42', 'flaky', 1), draw('43', 'flaky', 1), draw('42', 'slow', 1)]
  assert.equal(new Set([...others, draw('42', 'flaky', 2)]).size, 4)
  // Arguments with equal concatenations are not the same arguments.
  assert.notEqual(draw('a', 'bc'), draw('ab', 'c'))
})

test('whole numbers stay within their bounds and reach them', () => {
  const drawn = Array.from({ length: 500 }, (_, n) => drawBetween(3, 6, 'seed', n))
  assert.deepEqual([...new Set(drawn)].sort(), [3, 4, 5, 6])
})

test('of each block exactly the share is chosen, not always the same', () => {
  const indexes = new Set<number>()
  for (let block = 0; block < 50; block++) {
    const chosen = [1, 2, 3, 4, 5].filter((n) =>
      isChosen(block * 5 + n, { share: 2, of: 5 }, 'seed', 'flaky')
    )
    assert.equal(chosen.length, 2)
    for (const index of chosen) indexes.add(index)
  }
  assert.equal(indexes.size, 5)
})
