import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scanBody } from './scan.ts'

function check(text: string, ...members: [string, string][]): void {
  const [object] = scanBody(text).objects
  assert.ok(object)
  const found = object.members.map(({ keyStart, keyEnd, valueStart, valueEnd }) => [
    text.slice(keyStart, keyEnd),
    text.slice(valueStart, valueEnd)
  ])
  assert.deepEqual(found, members, text)
}

test('members are found with their positions', () => {
  check('{}')
  check(' { "a" : 1 , "" :"\\"}" } ', ['"a"', '1'], ['""', '"\\"}"'])
  check('{"a":{"b":[1,{}]},"a":[]}', ['"a"', '{"b":[1,{}]}'], ['"a"', '[]'])
  check('{"\\u0061":-0.5E+10}', ['"\\u0061"', '-0.5E+10'])
  check('{"a":true,"b":false,"c":null}', ['"a"', 'true'], ['"b"', 'false'], ['"c"', 'null'])
})

test('objects are found with their positions', () => {
  const text = ' [ {"a":1} , {} ] '
  const { many, count, objects } = scanBody(text)
  const texts = objects.map(({ start, end }) => text.slice(start, end))
  assert.deepEqual([many, count, texts], [true, 2, ['{"a":1}', '{}']])
  assert.deepEqual(scanBody(' [ ] '), { many: true, count: 0, objects: [] })
})

function checkRejected(text: string, position: number, message: RegExp): void {
  assert.throws(() => scanBody(text), { code: 'INVALID_JSON', statusCode: 400, position }, text)
  assert.throws(() => scanBody(text), message, text)
}

test('text that RFC 8259 does not allow is rejected with its position', () => {
  checkRejected('', 0, /expected a value at byte 0/)
  checkRejected(' ', 1, /a value/)
  checkRejected('{', 1, /a key in double quotes/)
  checkRejected('{a:1}', 1, /a key in double quotes/)
  checkRejected("{'a':1}", 1, /a key in double quotes/)
  checkRejected('{"a":1,}', 7, /a key in double quotes/)
  checkRejected('{"a" 1}', 5, /":"/)
  checkRejected('{"a":}', 5, /a value/)
  checkRejected('{"a":1 "b":2}', 7, /"," or "}"/)
  checkRejected('{"a":1]', 6, /"," or "}"/)
  checkRejected('{"a":[1}', 7, /"," or "\]"/)
  checkRejected('{"a":{"b":1]}', 11, /"," or "}"/)
  checkRejected('{"a":{"b":1,}}', 12, /a key in double quotes/)
  checkRejected('{"a":[1,]}', 8, /a value/)
  checkRejected('[{},]', 4, /a value/)
  checkRejected('[{} {}]', 4, /"," or "\]"/)
  checkRejected('[{}', 3, /"," or "\]"/)
  checkRejected('{"a":1}x', 7, /the end of the input/)
  checkRejected('[{}]]', 4, /the end of the input/)
  checkRejected('1 2', 2, /the end of the input/)
  checkRejected('{"a":1}/**/', 7, /the end of the input/)
  checkRejected('\uFEFF{}', 0, /a value/)
  checkRejected('{"a":\u00a01}', 5, /a value/)
})

test('numbers and literals', () => {
  for (const [number, offset] of [
    ['01', 1],
    ['-', 1],
    ['-a', 1],
    ['1.', 2],
    ['1.e5', 2],
    ['1e', 2],
    ['1e+', 3],
    ['1e-x', 3]
  ] as const) {
    checkRejected(`{"a":${number}}`, 5 + offset, /a digit|"," or "}"/)
  }
  for (const word of ['+1', '.5', 'NaN', 'Infinity', 'TRUE', 'tru', 'undefined', "'a'"]) {
    checkRejected(`{"a":${word}}`, 5, /a value/)
  }
  checkRejected('{"a":truex}', 9, /"," or "}"/)
  checkRejected('{"a":0x10}', 6, /"," or "}"/)
})

test('strings', () => {
  checkRejected('{"a":"b', 7, /the end of the string/)
  checkRejected('{"a":"\\', 7, /an escape/)
  checkRejected('{"a":"\\x"}', 7, /an escape/)
  checkRejected('{"a":"\\u12G4"}', 8, /four hexadecimal digits/)
  checkRejected('{"a":"\\u12', 8, /four hexadecimal digits/)
  checkRejected('{"a":"\n"}', 6, /no control character/)
  checkRejected('{"a\u0000":1}', 3, /no control character/)
  check('{"a":"\u007f\u2028\\b\\f\\n\\r\\t\\/\\\\"}', [
    '"a"',
    '"\u007f\u2028\\b\\f\\n\\r\\t\\/\\\\"'
  ])
})

test('positions count bytes', () => {
  checkRejected('{"é😀":x}', 10, /at byte 10/)
})

test('only objects are stored', () => {
  for (const [text, position] of [
    ['1', 0],
    [' "a"', 1],
    ['null', 0],
    ['[1]', 1],
    ['[{},[{}],2]', 4],
    ['[null,{}]', 1]
  ] as const) {
    assert.throws(() => scanBody(text), { code: 'INVALID_JSON', statusCode: 400, position }, text)
  }
  checkRejected('[1,oops]', 3, /a value/)
})

test('objects that are not kept are checked too', () => {
  assert.equal(scanBody('[{},{},{}]', { keep: 1 }).objects.length, 1)
  assert.equal(scanBody('[{},{},{}]', { keep: 1 }).count, 3)
  assert.throws(() => scanBody('[{},{"a":01}]', { keep: 1 }), {
    code: 'INVALID_JSON',
    position: 10
  })
})

test('depth has no limit', () => {
  const levels = 500_000
  check(`{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`, [
    '"a"',
    '['.repeat(levels) + ']'.repeat(levels)
  ])
  checkRejected(`{"a":${'{"a":'.repeat(100_000)}`, 5 + 500_000, /a value/)
})
