import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergePatch } from './merge-patch.ts'

/** The examples of RFC 7396, appendix A, in its order. */
const EXAMPLES: readonly [string, string, string][] = [
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', '{}'],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['["a","b"]', '["c","d"]', '["c","d"]'],
  ['{"a":"b"}', '["c"]', '["c"]'],
  ['{"a":"foo"}', 'null', 'null'],
  ['{"a":"foo"}', '"bar"', '"bar"'],
  ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
  ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
  ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}']
]

for (const [index, [target, patch, result]] of EXAMPLES.entries()) {
  test(`RFC 7396, example ${index + 1}: ${target} and ${patch}`, () => {
    assert.equal(mergePatch(target, patch), result)
  })
}

const HOSTILE =
  '{ "n" : 12345678901234567890, "o":{"10":1.0,"2":-0 , "__proto__":{"x":1E5}},\n"d":1,"d":2,"\\u00e9":"\\/", "":[ 1e400,{} ]}'

test('members that a patch does not name keep every byte', () => {
  assert.equal(
    mergePatch(HOSTILE, '{"o":{"2":null,"new":1e1}, "d":3}'),
    '{ "n" : 12345678901234567890, "o":{"10":1.0, "__proto__":{"x":1E5},"new":1e1},"d":3,"\\u00e9":"\\/", "":[ 1e400,{} ]}'
  )
})

test("names are compared without escapes, and replaced with the record's spelling", () => {
  assert.equal(mergePatch('{"\\u0061": 1}', '{"a":2}'), '{"\\u0061": 2}')
  assert.equal(mergePatch('{}', '{"\\u0061":2}'), '{"\\u0061":2}')
  assert.equal(mergePatch('{"a":1}', '{"a":2,"a":3}'), '{"a":3}')
})

test('`__proto__` is a name like any other', () => {
  assert.equal(mergePatch('{"__proto__":1,"a":2}', '{"__proto__":null}'), '{"a":2}')
  assert.equal(mergePatch('{}', '{"__proto__":{"b":1.0}}'), '{"__proto__":{"b":1.0}}')
})

test('an object that loses all its members is empty', () => {
  assert.equal(mergePatch('{ "a" : 1 }', '{"a":null}'), '{}')
})
