import assert from 'node:assert/strict'
import { test } from 'node:test'
import { authorize } from './authorize.ts'

function check(
  principal: { scopes: string[]; bindings: string[] },
  action: string,
  object: string | undefined,
  expected: boolean
) {
  assert.equal(authorize(principal, action, object), expected)
}

test('a token allows the actions of its scopes only', () => {
  const principal = { scopes: ['read'], bindings: ['12'] }
  check(principal, 'read', undefined, true)
  check(principal, 'write', undefined, false)
  check(principal, 'rea', undefined, false)
  check({ scopes: [], bindings: ['*'] }, 'read', undefined, false)
  check({ scopes: ['*'], bindings: ['*'] }, 'read', undefined, false)
})

test('an object must be one of those that the token is bound to', () => {
  const principal = { scopes: ['read', 'write'], bindings: ['12', '13'] }
  check(principal, 'write', '12', true)
  check(principal, 'write', '13', true)
  check(principal, 'write', '1', false)
  check(principal, 'write', '', false)
  check(principal, 'write', '*', false)
  check({ scopes: ['write'], bindings: [] }, 'write', '12', false)
})

test('a token that is bound to everything still needs the scope', () => {
  const principal = { scopes: ['read'], bindings: ['*'] }
  check(principal, 'read', '12', true)
  check(principal, 'write', '12', false)
})
