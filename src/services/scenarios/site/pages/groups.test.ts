import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SCENARIO_NAMES } from '../../scenario/registry.ts'
import { GROUPS } from './groups.ts'

test('every scenario has its place on the page, once', () => {
  const shown = GROUPS.flatMap(({ names }) => names)
  assert.deepEqual([...shown].sort(), [...SCENARIO_NAMES].sort())
})
