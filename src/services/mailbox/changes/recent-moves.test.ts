import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRecentMoves } from './recent-moves.ts'

test('moves are known for ten seconds, some hundred of them', () => {
  let time = 0
  const moves = createRecentMoves({ now: () => time })
  moves.removed('a')
  moves.moved('b', 'c')
  time = 9999
  assert.ok(moves.wasRemoved('a'))
  assert.equal(moves.targetOf('b'), 'c')
  time = 10_000
  assert.ok(!moves.wasRemoved('a'))
  assert.equal(moves.targetOf('b'), undefined)
  for (let number = 0; number < 600; number++) moves.removed(`m${number}`)
  assert.ok(!moves.wasRemoved('m0'))
  assert.ok(moves.wasRemoved('m599'))
})
