import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SCENARIO_NAMES } from '../../scenario/registry.ts'
import { GROUPS } from './groups.ts'

test('every scenario is in exactly one group', () => {
  const shown = GROUPS.flatMap(({ names }) => names)
  assert.deepEqual([...shown].sort(), [...SCENARIO_NAMES].sort())
})
