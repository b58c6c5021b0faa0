import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkKeyForm, digestKey, findKey, isKey } from './credentials.ts'

const KEY = '87c7d4fe-0f4d-4d8a-9b1e-3f5a2c6d7e8f'

test('the key is in X-API-KEY, or after the first word of Authorization', () => {
  assert.equal(findKey({ 'x-api-key': KEY }), KEY)
  assert.equal(findKey({ authorization: `API-KEY ${KEY}` }), KEY)
  assert.equal(findKey({ authorization: `Bearer ${KEY} more` }), KEY)
  assert.equal(findKey({ 'x-api-key': KEY, authorization: 'API-KEY other' }), KEY)
})

test('a header with one word, or an empty one, has no key', () => {
  assert.equal(findKey({}), undefined)
  assert.equal(findKey({ 'x-api-key': '' }), undefined)
  assert.equal(findKey({ authorization: KEY }), undefined)
})

test('a key is a UUID of any version', () => {
  checkKeyForm(undefined)
  checkKeyForm(KEY)
  checkKeyForm('00000000-0000-0000-0000-000000000000')
  for (const key of ['x', `${KEY}0`, KEY.replaceAll('-', ''), KEY.replace('8', 'g')]) {
    assert.throws(() => checkKeyForm(key), /^.*Invalid API-KEY\. API-KEY Should be a UUID\.$/)
  }
})

test('a key matches in upper and lower case, and no other key does', () => {
  const digest = digestKey(KEY)
  assert.ok(isKey(digest, KEY))
  assert.ok(isKey(digest, KEY.toUpperCase()))
  assert.ok(!isKey(digest, undefined))
  assert.ok(!isKey(digest, 'no uuid'))
  assert.ok(!isKey(digest, KEY.replace('8', '9')))
})

test('if no key is stored, no key matches', () => {
  assert.ok(!isKey(null, undefined))
  assert.ok(!isKey(null, KEY))
})
