import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupFields, hasMoreFieldsThan } from './form-fields.ts'

test('fields are counted by their separators', () => {
  assert.equal(hasMoreFieldsThan(1, ''), false)
  assert.equal(hasMoreFieldsThan(1, 'a=1'), false)
  assert.equal(hasMoreFieldsThan(1, 'a&a'), true)
  assert.equal(hasMoreFieldsThan(2, 'a&a'), false)
  assert.equal(hasMoreFieldsThan(3, '&&&'), true)
})

test('a repeated name has an array of values, in their order', () => {
  const group = (query: string) => groupFields(new URLSearchParams(query))
  assert.deepEqual(group(''), {})
  assert.deepEqual(group('a=1&b=2'), { a: '1', b: '2' })
  assert.deepEqual(group('a=1&b=2&a=3&a='), { a: ['1', '3', ''], b: '2' })
  assert.deepEqual(Object.keys(group('__proto__=1&constructor=2')), ['__proto__', 'constructor'])
})
