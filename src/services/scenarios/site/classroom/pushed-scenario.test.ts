import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pushedScenario, withPushed } from './pushed-scenario.ts'

const OWN = { path: '/api/users', nth: 2, scenario: 'status:500' }

test('a pushed scenario comes before the rules of a test, and goes without them', () => {
  const pushed = withPushed([OWN], 'slow:1500')
  assert.deepEqual(pushed, [{ scenario: 'slow:1500' }, OWN])
  assert.equal(pushedScenario(pushed), 'slow:1500')
  assert.deepEqual(withPushed(pushed, 'reset'), [{ scenario: 'reset' }, OWN])
  assert.deepEqual(withPushed(pushed, undefined), [OWN])
})

test('a rule with conditions was not pushed', () => {
  assert.equal(pushedScenario([OWN]), undefined)
  assert.equal(pushedScenario([]), undefined)
  assert.deepEqual(withPushed([OWN], undefined), [OWN])
})
