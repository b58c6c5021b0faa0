import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actionWithKey, hasFormToken } from './form-token.ts'

test('a form token is of one key, method and path', () => {
  const url = actionWithKey('key', '/reset')
  assert.match(url, /^\/reset\?form=[\w-]{43}$/)
  assert.ok(hasFormToken({ method: 'POST', url }, 'key'))
  assert.ok(hasFormToken({ method: 'POST', url: `${url}&a=?` }, 'key'))
  assert.ok(!hasFormToken({ method: 'POST', url }, 'another'))
  assert.ok(!hasFormToken({ method: 'DELETE', url }, 'key'))
  assert.ok(!hasFormToken({ method: 'POST', url: url.replace('/reset', '/clear') }, 'key'))
  for (const other of ['/reset', '/reset?form=', '/reset?form=key']) {
    assert.ok(!hasFormToken({ method: 'POST', url: other }, 'key'), other)
  }
})
