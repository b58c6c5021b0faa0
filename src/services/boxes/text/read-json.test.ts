import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readJson } from './read-json.ts'

function check(text: string, expected: unknown): void {
  assert.deepEqual(readJson(text), expected, text)
}

/** Puts the value into an array with an escape, so that `JSON.parse` does not read it. */
function withEscape(text: string): string {
  return `[${text},"\\n"]`
}

test('reads what JSON.parse reads', () => {
  for (const text of [
    '{}',
    '[]',
    ' { "a" : [ 1 , -2.5e3 , true , false , null , "x" , [ ] , { } ] , "b" : { "c" : "\\"}" } } ',
    '[{"a":1,"a":2},"\\\\",[[["\\u0061\\/"]]]]',
    '{"__proto__":{"x":1},"":{"":0}}',
    '\t"a\\tb"\r\n',
    '0'
  ]) {
    check(text, JSON.parse(text))
    check(withEscape(text), JSON.parse(withEscape(text)))
  }
})

test('a name is read correctly, whatever was read before', () => {
  for (const [before, text, name] of [
    ['{"\\\\":1}', '{"\\n":2}', '\n'],
    ['{"a\\\\":1}', '{"a\\"":2}', 'a"'],
    ['{"h":[],"\\\\":0}', '{"\\/":2}', '/']
  ] as const) {
    JSON.parse(before)
    readJson(before)
    check(text, { [name]: 2 })
  }
})

test('depth has no limit', () => {
  const levels = 200_000
  let value = readJson(`${'['.repeat(levels)}"\\n"${']'.repeat(levels)}`)
  for (let level = 0; level < levels; level++)
    value = Array.isArray(value) ? (value[0] ?? null) : null
  assert.equal(value, '\n')
})
