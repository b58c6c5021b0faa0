import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultBackoff } from './backoff.ts'

test('doubles from a second to an hour, half of it random', () => {
  const shortest = [1, 2, 3, 12, 13, 20, 2_000].map((attempt) => defaultBackoff(attempt, () => 0))
  assert.deepEqual(shortest, [500, 1_000, 2_000, 1_024_000, 1_800_000, 1_800_000, 1_800_000])
  const longest = [1, 2, 3, 12, 13, 2_000].map((attempt) => defaultBackoff(attempt, () => 1))
  assert.deepEqual(longest, [1_000, 2_000, 4_000, 2_048_000, 3_600_000, 3_600_000])
  assert.ok(Number.isInteger(defaultBackoff(1, () => 1 / 3)))
})
