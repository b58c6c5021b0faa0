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

function checkRefused(hex: string, position: number): void {
  const expected = { code: 'INVALID_UTF8', statusCode: 400, position }
  assert.throws(() => decodeText(Buffer.from(hex, 'hex')), expected, hex)
}

test('what is no UTF-8 is refused where it begins', () => {
  checkRefused('ff', 0)
  checkRefused('7b227d80', 3)
  checkRefused('c080', 0)
  checkRefused('61f09f98', 1)
  checkRefused('61eda080', 1)
  checkRefused('eda0bdedb880', 0)
  checkRefused('f4908080', 0)
  // U+FFFD that was sent is no mistake.
  checkRefused('efbfbdefbfbdc3a9ff', 8)
  checkRefused('efbfbdefbf', 3)
})
