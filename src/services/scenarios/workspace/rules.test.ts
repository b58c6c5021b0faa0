import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDue, matchesRule } from './rules.ts'

test('nth is the first call it is for, times how many', () => {
  const due = (rule: { nth?: number; times?: number }) =>
    [1, 2, 3, 4, 5].filter((n) => isDue({ scenario: 'slow', ...rule }, n))
  assert.deepEqual(due({}), [1, 2, 3, 4, 5])
  assert.deepEqual(due({ nth: 3 }), [3])
  assert.deepEqual(due({ times: 2 }), [1, 2])
  assert.deepEqual(due({ nth: 2, times: 3 }), [2, 3, 4])
})

test('a rule without method or path is for every call', () => {
  const asked = { method: 'PUT', path: '/api/users/1' }
  assert.ok(matchesRule({ scenario: 'slow' }, asked))
  assert.ok(matchesRule({ scenario: 'slow', method: 'PUT' }, asked))
  assert.ok(!matchesRule({ scenario: 'slow', method: 'GET' }, asked))
})
