import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeText } from './decode.ts'

function check(hex: string, expected: string | undefined): void {
  assert.equal(decodeText(Buffer.from(hex, 'hex')), expected, hex)
}

test('UTF-8, without its byte order mark', () => {
  check('', undefined)
  check('7b7d', '{}')
  check('f09f9880', '😀')
  check('efbbbf', undefined)
  check('efbbbf7b7d', '{}')
  check('efbbbfefbbbf', '\uFEFF')
  check('7befbbbf7d', '{\uFEFF}')
})

test('a part of a longer buffer', () => {
  assert.equal(decodeText(new Uint8Array(Buffer.from('x{}y')).subarray(1, 3)), '{}')
})

function checkRejected(hex: string, position: number): void {
  const expected = { code: 'INVALID_UTF8', statusCode: 400, position }
  assert.throws(() => decodeText(Buffer.from(hex, 'hex')), expected, hex)
}

test('invalid UTF-8 is rejected with its position', () => {
  checkRejected('ff', 0)
  checkRejected('7b227d80', 3)
  checkRejected('c080', 0)
  checkRejected('61f09f98', 1)
  checkRejected('61eda080', 1)
  checkRejected('eda0bdedb880', 0)
  checkRejected('f4908080', 0)
  // U+FFFD in the input is not an error.
  checkRejected('efbfbdefbfbdc3a9ff', 8)
  checkRejected('efbfbdefbf', 3)
})
