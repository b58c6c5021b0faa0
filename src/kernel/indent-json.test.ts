import assert from 'node:assert/strict'
import { test } from 'node:test'
import { indentJson } from './indent-json.ts'

test('JSON is indented as JSON.stringify does', () => {
  for (const value of [
    {},
    [],
    'text',
    null,
    { a: [], b: {}, c: [1, [2, { d: null }]], 'e"{,:\\': 'f]"\\u0041,\n' },
    [[[]], [{}], true]
  ]) {
    for (const space of [0, 4]) {
      const text = JSON.stringify(value, null, space)
      assert.equal(indentJson(text), JSON.stringify(value, null, 2))
    }
  }
})

test('numbers, strings and repeated names keep their spelling', () => {
  const text = '{"n":1.50,"big":12345678901234567890,"u":"\\u00e9","n":1e2}'
  assert.equal(
    indentJson(text),
    '{\n  "n": 1.50,\n  "big": 12345678901234567890,\n  "u": "\\u00e9",\n  "n": 1e2\n}'
  )
})

test('other text is no JSON', () => {
  for (const text of ['', '{', '{"a":1,}', 'a=1', '[1] 2'])
    assert.equal(indentJson(text), undefined)
})
