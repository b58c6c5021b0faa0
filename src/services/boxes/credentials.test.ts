import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkKey, checkKeyForm, digestKey, findKey } from './credentials.ts'

const KEY = '87c7d4fe-0f4d-4d8a-9b1e-3f5a2c6d7e8f'

test('the key stands in X-API-KEY, or behind the first word of Authorization', () => {
  assert.equal(findKey({ 'x-api-key': KEY }), KEY)
  assert.equal(findKey({ authorization: `API-KEY ${KEY}` }), KEY)
  assert.equal(findKey({ authorization: `Bearer ${KEY} more` }), KEY)
  assert.equal(findKey({ 'x-api-key': KEY, authorization: 'API-KEY other' }), KEY)
})

test('a header with one word, or an empty one, holds no key', () => {
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

test('a protected box opens to its own key only, in either case of its letters', () => {
  const digest = digestKey(KEY)
  checkKey(digest, KEY)
  checkKey(digest, KEY.toUpperCase())
  assert.throws(() => checkKey(digest, undefined), { statusCode: 401 })
  assert.throws(() => checkKey(digest, 'no uuid'), { statusCode: 401 })
  assert.throws(() => checkKey(digest, KEY.replace('8', '9')), { statusCode: 401 })
})

test('a public box takes any key', () => {
  checkKey(null, undefined)
  checkKey(null, KEY)
})
