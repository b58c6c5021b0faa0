import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonPatch } from './json-patch.ts'

/** RFC 6902, appendix A, in its order; the last string is the error code if there is an error. */
const EXAMPLES: readonly [string, string, string, string][] = [
  [
    'A.1 adding a member',
    '{"foo":"bar"}',
    '[{"op":"add","path":"/baz","value":"qux"}]',
    '{"foo":"bar","baz":"qux"}'
  ],
  [
    'A.2 adding an element',
    '{"foo":["bar","baz"]}',
    '[{"op":"add","path":"/foo/1","value":"qux"}]',
    '{"foo":["bar","qux","baz"]}'
  ],
  [
    'A.3 removing a member',
    '{"baz":"qux","foo":"bar"}',
    '[{"op":"remove","path":"/baz"}]',
    '{"foo":"bar"}'
  ],
  [
    'A.4 removing an element',
    '{"foo":["bar","qux","baz"]}',
    '[{"op":"remove","path":"/foo/1"}]',
    '{"foo":["bar","baz"]}'
  ],
  [
    'A.5 replacing a value',
    '{"baz":"qux","foo":"bar"}',
    '[{"op":"replace","path":"/baz","value":"boo"}]',
    '{"baz":"boo","foo":"bar"}'
  ],
  [
    'A.6 moving a value',
    '{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}',
    '[{"op":"move","from":"/foo/waldo","path":"/qux/thud"}]',
    '{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}'
  ],
  [
    'A.7 moving an element',
    '{"foo":["all","grass","cows","eat"]}',
    '[{"op":"move","from":"/foo/1","path":"/foo/3"}]',
    '{"foo":["all","cows","eat","grass"]}'
  ],
  [
    'A.8 testing, success',
    '{"baz":"qux","foo":["a",2,"c"]}',
    '[{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2}]',
    '{"baz":"qux","foo":["a",2,"c"]}'
  ],
  [
    'A.9 testing, error',
    '{"baz":"qux"}',
    '[{"op":"test","path":"/baz","value":"bar"}]',
    'PATCH_TEST_FAILED'
  ],
  [
    'A.10 adding a nested member',
    '{"foo":"bar"}',
    '[{"op":"add","path":"/child","value":{"grandchild":{}}}]',
    '{"foo":"bar","child":{"grandchild":{}}}'
  ],
  [
    'A.11 members that mean nothing',
    '{"foo":"bar"}',
    '[{"op":"add","path":"/baz","value":"qux","xyz":123}]',
    '{"foo":"bar","baz":"qux"}'
  ],
  [
    'A.12 adding to a target that is not there',
    '{"foo":"bar"}',
    '[{"op":"add","path":"/baz/bat","value":"qux"}]',
    'PATCH_FAILED'
  ],
  [
    'A.14 escapes of a pointer, in their order',
    '{"/":9,"~1":10}',
    '[{"op":"test","path":"/~01","value":10}]',
    '{"/":9,"~1":10}'
  ],
  [
    'A.15 comparing a text with a number',
    '{"/":9,"~1":10}',
    '[{"op":"test","path":"/~01","value":"10"}]',
    'PATCH_TEST_FAILED'
  ],
  [
    'A.16 adding an array to the end',
    '{"foo":["bar"]}',
    '[{"op":"add","path":"/foo/-","value":["abc","def"]}]',
    '{"foo":["bar",["abc","def"]]}'
  ]
]

const FURTHER: readonly [string, string, string, string][] = [
  // A.13 has two `op`; RFC 8259 does not define which one is used, and here it is the last.
  [
    'of two members of one name, the last',
    '{"foo":"bar"}',
    '[{"op":"add","path":"/baz","value":"qux","op":"remove"}]',
    'PATCH_FAILED'
  ],
  [
    'copying',
    '{"a":{"b": 1.0}}',
    '[{"op":"copy","from":"/a","path":"/c"}]',
    '{"a":{"b": 1.0},"c":{"b": 1.0}}'
  ],
  ['replacing everything', '{"a":1}', '[{"op":"replace","path":"","value":{"b":2}}]', '{"b":2}'],
  [
    'a move into itself',
    '{"a":{"b":1}}',
    '[{"op":"move","from":"/a","path":"/a/b"}]',
    'PATCH_FAILED'
  ],
  [
    'a move onto itself',
    '{"a": 1,"b":2}',
    '[{"op":"move","from":"/a","path":"/a"}]',
    '{"b":2,"a":1}'
  ],
  ['beyond the end', '{"a":[1]}', '[{"op":"add","path":"/a/2","value":1}]', 'PATCH_FAILED'],
  [
    'an index with a zero before it',
    '{"a":[1,2]}',
    '[{"op":"remove","path":"/a/01"}]',
    'PATCH_FAILED'
  ],
  [
    'after the last element, which does not exist',
    '{"a":[1]}',
    '[{"op":"remove","path":"/a/-"}]',
    'PATCH_FAILED'
  ],
  [
    'a member that does not exist',
    '{"a":1}',
    '[{"op":"replace","path":"/b","value":1}]',
    'PATCH_FAILED'
  ],
  ['the record itself', '{"a":1}', '[{"op":"remove","path":""}]', 'PATCH_FAILED'],
  ['an empty name', '{"":1}', '[{"op":"replace","path":"/","value":2}]', '{"":2}'],
  ['not an array', '{}', '{"op":"remove"}', 'PATCH_INVALID'],
  ['no path', '{}', '[{"op":"remove"}]', 'PATCH_INVALID'],
  ['no value', '{}', '[{"op":"add","path":"/a"}]', 'PATCH_INVALID'],
  ['an invalid pointer', '{}', '[{"op":"remove","path":"a"}]', 'PATCH_INVALID'],
  ['an invalid escape', '{}', '[{"op":"remove","path":"/~2"}]', 'PATCH_INVALID'],
  ['an unknown operation', '{}', '[{"op":"toString","path":""}]', 'PATCH_INVALID']
]

for (const [name, target, patch, result] of [...EXAMPLES, ...FURTHER]) {
  test(`RFC 6902, ${name}`, () => {
    if (!/^[A-Z]/.test(result)) assert.equal(jsonPatch(target, patch), result)
    else assert.throws(() => jsonPatch(target, patch), { code: result })
  })
}

test('a test compares numbers to the last digit, whatever their notation', () => {
  const target = '{"n":12345678901234567890,"m":1.50e1,"z":-0,"o":{"b":[1.0],"a":"\\u0041"}}'
  const holds = ['/n:12345678901234567890', '/n:1234567890123456789.0e1', '/m:15', '/z:0.0']
  const fails = ['/n:12345678901234567891', '/m:15.1', '/z:1e-400', '/o:{"b":[1]}']
  const patch = (text: string) => {
    const [path, ...value] = text.split(':')
    return `[{"op":"test","path":"${path}","value":${value.join(':')}}]`
  }
  for (const text of [...holds, '/o:{"a":"A","b":[1e0]}']) jsonPatch(target, patch(text))
  for (const text of fails) {
    assert.throws(() => jsonPatch(target, patch(text)), { code: 'PATCH_TEST_FAILED' }, text)
  }
})

const HOSTILE =
  '{ "n" : 12345678901234567890, "o":{"10":1.0,"2":-0 , "__proto__":{"x":1E5}},\n"d":1,"d":2,"a":[ 1e400 , {} ,"\\ud800"]}'

test('values that no operation names keep every byte', () => {
  const patch =
    '[{"op":"replace","path":"/o/2","value":0.10},{"op":"add","path":"/a/1","value":[ ]},{"op":"remove","path":"/d"},{"op":"copy","from":"/n","path":"/o/n"}]'
  assert.equal(
    jsonPatch(HOSTILE, patch),
    '{ "n" : 12345678901234567890, "o":{"10":1.0,"2":0.10 , "__proto__":{"x":1E5},"n":12345678901234567890},"a":[ 1e400 ,[ ], {} ,"\\ud800"]}'
  )
})

test('a patch that takes too much work is rejected', () => {
  const big = `{"a":"${'x'.repeat(1_000_000)}"}`
  const many = `[${Array(100).fill('{"op":"test","path":"/b","value":1}').join()}]`
  assert.throws(
    () => jsonPatch(big, many.replaceAll('/b', '/a').replaceAll('"value":1', '"value":""')),
    {
      code: 'PATCH_TEST_FAILED'
    }
  )
  const adds = `[${Array(100).fill('{"op":"add","path":"/b","value":1}').join()}]`
  assert.throws(() => jsonPatch(big, adds), { code: 'PATCH_TOO_LARGE' })
  const too = `[${Array(1001).fill('{"op":"add","path":"/b","value":1}').join()}]`
  assert.throws(() => jsonPatch('{}', too), { code: 'PATCH_TOO_LARGE' })
})
