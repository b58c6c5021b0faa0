import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  booleanValue,
  dateValue,
  idListValue,
  idValue,
  posValue,
  selectFields,
  textValue
} from './values.ts'

const ID = 'ABCDEF0123456789abcdef01'

function sent(value: unknown): { values: Map<string, unknown> } {
  return { values: new Map([['name', value]]) }
}

test('values are read from texts and from JSON', () => {
  for (const value of ['true', '1', 'TRUE', true, 1])
    assert.equal(booleanValue(sent(value), 'name'), true)
  for (const value of ['false', '0', false, 0])
    assert.equal(booleanValue(sent(value), 'name'), false)
  assert.equal(textValue(sent(12), 'name'), '12')
  assert.equal(textValue(sent(null), 'name'), undefined)
  for (const value of [null, '', 'null']) assert.equal(dateValue(sent(value), 'name'), null)
  assert.equal(idValue(sent(ID), 'name'), ID.toLowerCase())
  assert.equal(idValue(sent('abcDEF12'), 'name', { links: true }), 'abcDEF12')
  for (const value of [`${ID},,${ID.toLowerCase()}`, [ID]]) {
    assert.deepEqual(idListValue(sent(value), 'name'), [ID.toLowerCase()])
  }
  assert.equal(posValue(sent('top'), 'name'), 'top')
  assert.equal(posValue(sent('1.5'), 'name'), 1.5)
})

test('wrong values are named', () => {
  const error = { message: 'invalid value for name', statusCode: 400 }
  for (const value of ['yes', '', {}, 2])
    assert.throws(() => booleanValue(sent(value), 'name'), error)
  for (const value of ['a\0', '\ud800', {}, ['a']])
    assert.throws(() => textValue(sent(value), 'name'), error)
  assert.throws(() => textValue(sent('abc'), 'name', { max: 2 }), error)
  for (const value of ['x', 7, 'abcDEF12']) assert.throws(() => idValue(sent(value), 'name'), error)
  for (const value of ['x', [1], `${ID},x`])
    assert.throws(() => idListValue(sent(value), 'name'), error)
  for (const value of [0, -1, 'x', 'Infinity', '0x10', 1e300, {}]) {
    assert.throws(() => posValue(sent(value), 'name'), error)
  }
})

test('fields select, and the id is always there', () => {
  const object = { id: '1', a: 1, b: 2 }
  assert.deepEqual(selectFields(object, 'b,,c'), { id: '1', b: 2 })
  assert.deepEqual(selectFields(object, ['a']), { id: '1', a: 1 })
  assert.deepEqual(selectFields(object, ''), { id: '1' })
  assert.deepEqual(selectFields(object, 'all', ['a']), object)
  assert.deepEqual(selectFields(object, undefined, ['a']), { id: '1', a: 1 })
  assert.deepEqual(selectFields(object, undefined), object)
})
