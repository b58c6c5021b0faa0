import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitOutsideQuotes, unquote } from './quoted-string.ts'

test('a separator inside quotes is ignored', () => {
  assert.deepEqual(splitOutsideQuotes('a,b', ','), ['a', 'b'])
  assert.deepEqual(splitOutsideQuotes('a="1,\\",2",b', ','), ['a="1,\\",2"', 'b'])
  assert.deepEqual(splitOutsideQuotes('"a,b', ','), ['"a,b'])
})

test('quotes and escapes are removed', () => {
  assert.equal(unquote('"a\\"b\\\\"'), 'a"b\\')
  for (const text of ['', '"', 'a', '"a', 'a"']) assert.equal(unquote(text), text)
})
