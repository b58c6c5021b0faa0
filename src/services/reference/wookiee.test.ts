import assert from 'node:assert/strict'
import { test } from 'node:test'
import { translate, translateValue } from './wookiee.ts'

test('the whole alphabet', () => {
  assert.equal(translate('swapi'), 'cohraakah')
  assert.equal(
    translate('abcdefghijklmnopqrstuvwxyz'),
    'rarhoawawowwrracahshoranscwhooakrqrccaohuhoohkrouf'
  )
})

test('capitals, digits and other letters stay', () => {
  assert.equal(translate('ABC 123 øé\r\n'), 'ABC 123 øé\r\n')
})

test('keys and strings at any depth, nothing else', () => {
  assert.deepEqual(translateValue({ a: [null, true, 1, 'b', { c: '\n' }] }), {
    ra: [null, true, 1, 'rh', { oa: '\n' }]
  })
})
