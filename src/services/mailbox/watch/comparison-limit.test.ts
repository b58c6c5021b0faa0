import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createComparisonLimit } from './comparison-limit.ts'

test('comparisons need not wait, unless there are too many of them', () => {
  let time = 1000
  const nextDelay = createComparisonLimit(() => time)
  for (let count = 0; count < 50; count++) assert.equal(nextDelay(), 0)
  assert.equal(nextDelay(), 100)
  assert.equal(nextDelay(), 200)
  time += 60_000
  assert.equal(nextDelay(), 0)
})
