import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDice } from './dice.ts'

function throws(seed: string): number[] {
  const dice = createDice(seed)
  return Array.from({ length: 200 }, () => dice.between(-5, 10))
}

test('the same seed gives the same numbers', () => {
  assert.deepEqual(throws('people 1').slice(0, 5), [3.2, 4.9, 6.4, 8.6, 4.6])
  assert.deepEqual(throws('people 1'), throws('people 1'))
})

test('neighbouring seeds differ', () => {
  assert.notDeepEqual(throws('people 1').slice(0, 5), throws('people 2').slice(0, 5))
})

test('numbers stay within their bounds and reach them', () => {
  const seen = throws('bounds')
  assert.ok(Math.min(...seen) >= -5 && Math.min(...seen) < -4)
  assert.ok(Math.max(...seen) <= 10 && Math.max(...seen) > 9)
  const dice = createDice('sides')
  const rolls = new Set(Array.from({ length: 100 }, () => dice.roll(3)))
  assert.deepEqual([...rolls].sort(), [0, 1, 2])
})
