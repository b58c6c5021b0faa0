import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bearerToken, constantTimeEqual, formKeyOf, isCrossOrigin, isSameOrigin } from './admin.ts'

test('the key of forms is a digest and not the token', () => {
  assert.match(formKeyOf('secret'), /^[\w-]{43}$/)
  assert.notEqual(formKeyOf('secret'), formKeyOf('another'))
})

test('the token is read from Authorization', () => {
  assert.equal(bearerToken({ authorization: 'bearer  secret' }), 'secret')
  for (const authorization of [undefined, '', 'Bearer', 'Bearer a b', 'Basic secret']) {
    assert.equal(bearerToken(authorization === undefined ? {} : { authorization }), undefined)
  }
})

test('a missing value equals nothing', () => {
  assert.ok(constantTimeEqual('a', 'a'))
  assert.ok(!constantTimeEqual('a', 'aa'))
  assert.ok(!constantTimeEqual(undefined, ''))
})

test('another port is another origin', () => {
  const host = 'here:1'
  assert.ok(isSameOrigin({ host, origin: 'http://here:1' }))
  assert.ok(isCrossOrigin({ host, origin: 'http://here:2' }))
  assert.ok(!isSameOrigin({ host, origin: 'http://here:2' }))
})
