import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseQueryCopy, queryCopy } from './query-copy.ts'
import { scanBody } from './scan.ts'

function isPlain(raw: string): boolean | undefined {
  return scanBody(raw).objects[0]?.plain
}

function check(raw: string, expected: string): void {
  const [object] = scanBody(raw).objects
  assert.ok(object !== undefined)
  assert.equal(queryCopy(raw, object), expected)
  assert.deepEqual(parseQueryCopy(raw), JSON.parse(expected), raw)
}

test('a plain record is its own copy, to the byte', () => {
  for (const raw of [
    '{}',
    '{ "a" : [ 1 , 2.50 ] }',
    '{"a":123456789012345,"b":-1234567890123.5}',
    '{"a":"\\n\\/\\"","b":"é😀"}',
    '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]}',
    '{"a":{},"b":{"a":1},"c":{"a":1}}'
  ]) {
    assert.equal(isPlain(raw), true, raw)
    check(raw, raw)
  }
})

test('of equal names the last is used, at any depth and in any spelling', () => {
  check('{"a":1,"a":2}', '{"a":2}')
  check('{"a":1, "a" :2}', '{"a":2}')
  check('{"o":[{"x":1,"x":2}]}', '{"o":[{"x":2}]}')
  check('{"o":{"y":{"x":0},"x":1,"x":2}}', '{"o":{"y":{"x":0},"x":2}}')
  check('{"a/b":1,"a\\/b":2}', '{"a/b":2}')
  check('{"a":1,"\\u0061":2}', '{"a":2}')
})

test('numbers are the shortest notation of a double, clipped', () => {
  check('{"a":12345678901234567890}', '{"a":12345678901234567000}')
  check('{"a":9007199254740993}', '{"a":9007199254740992}')
  check('{"a":1234567890123456}', '{"a":1234567890123456}')
  check('{"a":1E5}', '{"a":100000}')
  check('{"a":1e400,"b":-1e400}', '{"a":1.7976931348623157e+308,"b":-1.7976931348623157e+308}')
  check('{"a":1e-400,"b":12345678901234.5}', '{"a":0,"b":12345678901234.5}')
  assert.equal(queryCopy('{"a":-0e0}', { plain: false, depth: 0 }), '{"a":0}')
  check('{"a":[0.1234567890123456789012345]}', '{"a":[0.12345678901234568]}')
})

test('no U+0000 and no lone surrogates, in values and in names', () => {
  check('{"a":"x\\u0000y"}', '{"a":"x\uFFFDy"}')
  check('{"a\\u0000b":1}', '{"a\uFFFDb":1}')
  check('{"a":["\\ud800"]}', '{"a":["\uFFFD"]}')
  check('{"\\udc00x":{"a":1}}', '{"\uFFFDx":{"a":1}}')
  check('{"a":"\\ud83d\\ude00\\u00e9"}', '{"a":"😀é"}')
})

test('literals are not changed', () => {
  check('{"a":null,"b":[true,false,null],"c":1e1}', '{"a":null,"b":[true,false,null],"c":10}')
})

test('a member called __proto__ is a member', () => {
  check('{"__proto__":{"x":1e1},"a":1}', '{"__proto__":{"x":10},"a":1}')
})

test('long strings are not cut', () => {
  const long = 'x'.repeat(100_000)
  check(`{"a":"${long}","a":"${long}"}`, `{"a":"${long}"}`)
})

function nested(levels: number, inside = ''): string {
  return `{"a":${'['.repeat(levels)}${inside}${']'.repeat(levels)}}`
}

test('containers below the 64th level are empty', () => {
  assert.equal(isPlain(nested(63, '1')), true)
  check(nested(63, '1'), nested(63, '1'))
  assert.equal(isPlain(nested(64)), true)
  assert.equal(isPlain(nested(64, '1')), false)
  check(nested(64, '1'), nested(64))
  check(nested(63, '{"b":1}'), nested(63, '{}'))
  check(nested(63, '[],{},2'), nested(63, '[],{},2'))
  check(nested(63, 'true,null,"\\u0061",[1],1e1'), nested(63, 'true,null,"a",[],10'))
  check(nested(100_000), nested(64))
  check(`${'{"a":'.repeat(65)}1${'}'.repeat(65)}`, `${'{"a":'.repeat(64)}{}${'}'.repeat(64)}`)
})
