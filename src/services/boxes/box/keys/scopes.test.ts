import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joinScopes, opens, readPrivacy, readWantedKey, splitScopes } from './scopes.ts'

test('permissions of each scope', () => {
  const needs = ['read', 'create', 'write', 'manage'] as const
  const opened = (scope: 'read' | 'create' | 'write') =>
    needs.filter((need) => opens([scope], need))
  assert.deepEqual(opened('read'), ['read'])
  assert.deepEqual(opened('create'), ['create'])
  assert.deepEqual(opened('write'), ['read', 'create', 'write'])
  assert.ok(!opens(['read', 'create', 'write'], 'manage'))
  assert.ok(opens(['read', 'create'], 'create'))
  assert.ok(!opens([], 'read'))
})

test('scopes are stored in one order, each once', () => {
  assert.equal(joinScopes(['write', 'read', 'read']), 'read write')
  assert.deepEqual(splitScopes('read write'), ['read', 'write'])
})

test('a valid key request', () => {
  assert.deepEqual(readWantedKey({ label: 'CI', scopes: ['write', 'read'] }), {
    label: 'CI',
    scopes: ['read', 'write']
  })
  assert.deepEqual(readWantedKey({ scopes: ['read'] }), { label: null, scopes: ['read'] })
  assert.equal(readWantedKey({ label: 'a\0b\ud800', scopes: ['read'] }).label, 'a b\ufffd')
})

test('an invalid key request is rejected', () => {
  for (const body of [
    ...[null, 5, 'read', [], {}, { scopes: [] }, { scopes: 'read' }, { scopes: ['admin'] }],
    ...[{ scopes: ['read', 'admin'] }, { scopes: [['read']] }, { scopes: ['read'], label: 5 }],
    ...[
      { scopes: ['read'], label: 'x'.repeat(101) },
      { scopes: ['read'], key: 'mine' }
    ]
  ]) {
    assert.throws(() => readWantedKey(body), { code: 'KEY_REQUEST_INVALID' }, JSON.stringify(body))
  }
})

test('privacy is switched by a boolean and nothing else', () => {
  assert.equal(readPrivacy({ private: true }), true)
  assert.equal(readPrivacy({ private: false }), false)
  for (const body of [null, {}, { private: 1 }, { private: true, x: 1 }, [true], true]) {
    assert.throws(() => readPrivacy(body), { code: 'KEY_REQUEST_INVALID' })
  }
})
