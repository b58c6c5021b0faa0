import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutText } from './cut-text.ts'

test('strings are cut at the limit', () => {
  assert.equal(cutText('abc', 3), 'abc')
  assert.equal(cutText('abcd', 3), 'abc')
  assert.equal(cutText('', 3), '')
})

test('a surrogate pair is not split', () => {
  assert.equal(cutText('ab😀', 3), 'ab')
  assert.equal(cutText('ab😀', 4), 'ab😀')
  assert.equal(cutText('a😀b', 3), 'a😀')
  assert.equal(cutText('😀😀', 1), '')
})
