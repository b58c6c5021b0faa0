import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createStatementCache, numberPlaceholders } from './statement-text.ts'

const ROWS: readonly [string, string][] = [
  ['select 1', 'select 1'],
  ['a = ? and b = ?', 'a = $1 and b = $2'],
  ["a = '?' and b = ?", "a = '?' and b = $1"],
  ["a = 'it''s ?' and b = ?", "a = 'it''s ?' and b = $1"],
  ['select "wh?t""?" from t where a = ?', 'select "wh?t""?" from t where a = $1'],
  ['select ? -- why?\n, ?', 'select $1 -- why?\n, $2']
]

for (const [sql, expected] of ROWS) {
  test(`${JSON.stringify(sql)} in PostgreSQL's notation`, () => {
    assert.equal(numberPlaceholders(sql), expected)
  })
}

test('a statement gets a name when it has been used often enough, and keeps it', () => {
  const statementFor = createStatementCache()
  const names = Array.from({ length: 5 }, () => statementFor('select ?').name)
  assert.deepEqual(names, [undefined, undefined, 'nonet_1', 'nonet_1', 'nonet_1'])
})

test('the number of named statements is limited', () => {
  const statementFor = createStatementCache()
  const names = new Set<string | undefined>()
  for (let text = 0; text < 2_000; text++) {
    for (let use = 0; use < 4; use++) names.add(statementFor(`select ${text}`).name)
  }
  assert.equal(names.size, 301)
})
