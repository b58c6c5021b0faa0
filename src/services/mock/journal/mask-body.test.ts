import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMask } from './mask.ts'

const rows: [proves: string, body: string, shown: string][] = [
  ['JSON', '{"a": 1, "password": "x",  "b":2}', '{"a": 1, "password": "***",  "b":2}'],
  ['deep JSON', '[{"a":{"apiToken":7,"b":null}}]', '[{"a":{"apiToken":"***","b":null}}]'],
  ['objects and arrays', '{"tokens":[{"a":["x"]}],"b":1}', '{"tokens":"***","b":1}'],
  ['names in other spellings', '{"p\\u0061ssword":"x"}', '{"p\\u0061ssword":"***"}'],
  ['quotes in values', '{"password":"a\\"b","c":"\\\\"}', '{"password":"***","c":"\\\\"}'],
  ['values like names', '{"a":"password","b":":"}', '{"a":"password","b":":"}'],
  ['JSON cut in the value', '{"a":1,"secret":"abc', '{"a":1,"secret":"***"'],
  ['JSON cut in an object', '{"secret":{"a":[{"b":"c', '{"secret":"***"'],
  ['JSON cut in the name', '{"a":"b","pass', '{"a":"b","pass'],
  ['lines of JSON', '{"token":"x"}\n{"token":"y"}', '{"token":"***"}\n{"token":"***"}'],
  ['a form', 'a=1&pass%77ord=x&b=', 'a=1&pass%77ord=***&b='],
  [
    'XML',
    '<a><Password k="1">x</Password><b>y</b></a>',
    '<a><Password k="1">***</Password><b>y</b></a>'
  ],
  [
    'parts',
    '--b\r\nContent-Disposition: form-data; name="password"\r\n\r\nx\r\n--b\r\nContent-Disposition: form-data; name="a"\r\n\r\ny\r\n--b--',
    '--b\r\nContent-Disposition: form-data; name="password"\r\n\r\n***\r\n--b\r\nContent-Disposition: form-data; name="a"\r\n\r\ny\r\n--b--'
  ],
  ['text without fields', 'the password is x', 'the password is x'],
  ['nothing', '', '']
]

for (const [proves, body, shown] of rows) {
  test(`the fields of ${proves} are masked`, () => {
    assert.equal(createMask().body(body, true), shown)
  })
}

test('a cut body of quotes takes linear time', () => {
  const body = `{"a":"${'\\"'.repeat(500_000)}`
  assert.equal(createMask().body(body, true), body)
})

test('bytes are not read as a form', () => {
  assert.equal(createMask().body('\xfftoken=x&a', false), '\xfftoken=x&a')
})
