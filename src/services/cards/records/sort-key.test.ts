import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requireSortKey } from '../../../kernel/search/table.ts'
import { createSortKeyGenerator } from './sort-key.ts'

test('sort keys increase within a millisecond and when the clock is set back', () => {
  const times = [1000, 1000, 5000, 2000, 6000]
  let index = 0
  const next = createSortKeyGenerator(
    () => new Date(Date.UTC(2026, 0, 2) + (times[index++] ?? 0)),
    () => 0.999_999
  )
  const keys = times.map(next)
  assert.deepEqual(keys, [...new Set(keys)].sort())
  for (const key of keys) requireSortKey(key)
})

test('keys of later milliseconds are higher, whatever the random part is', () => {
  const first = createSortKeyGenerator(
    () => new Date(1_767_312_000_000),
    () => 0.999_999
  )
  const second = createSortKeyGenerator(
    () => new Date(1_767_312_000_001),
    () => 0
  )
  assert.ok(first() < second())
})
