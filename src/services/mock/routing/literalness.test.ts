import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSegments, splitPath } from './segments.ts'
import { createTable } from './table.ts'

function find(templates: readonly string[], path: string) {
  const entries = templates.map((target, order) => {
    return { segments: parseSegments(target), order, target }
  })
  const [best] = createTable(entries).templated(splitPath(path))
  return { target: best?.target, values: Object.fromEntries(best?.values ?? []) }
}

const rows: [proves: string, wins: string, loses: string, path: string, values: object][] = [
  [
    'text behind a parameter wins',
    '/users/{u}:activate',
    '/users/{u}',
    '/users/ann:activate',
    { u: 'ann' }
  ],
  ['text before a parameter wins', '/test.{format}', '/{name}', '/test.json', { format: 'json' }],
  ['more text beside parameters wins', '/{a}-{b}-x', '/{a}-{b}', '/1-2-x', { a: '1', b: '2' }],
  ['fewer parameters beside the same text win', '/v{a}', '/v{a}{b}', '/v12', { a: '12' }],
  ['a literal segment wins over such text', '/a/{y}', '/{x}a/{y}b', '/a/b', { y: 'b' }]
]
for (const [proves, wins, loses, path, values] of rows) {
  test(`${proves}, in any order`, () => {
    assert.deepEqual(find([wins, loses], path), { target: wins, values })
    assert.deepEqual(find([loses, wins], path), { target: wins, values })
  })
}

test('a value beside text stays encoded as sent', () => {
  const { values } = find(['/ü{a}-{b}'], '/%c3%bc1%2C2,%F0%9F%90%B3-%25%2D')
  assert.deepEqual(values, { a: '1%2C2,%F0%9F%90%B3-%25', b: '' })
})
