import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asSingleRowInsert, chunkSize, multiRowSql } from './insert-batching.ts'
import { insertRow, query, type Transaction } from './transaction.ts'

function* answering(): Transaction<string> {
  yield* insertRow('t', { a: 1, b: 'x' })
  return 'done'
}

function* twice(): Transaction<void> {
  yield* insertRow('t', { a: 1 })
  yield* insertRow('t', { a: 2 })
}

test('a transaction of one insert is run to its result', () => {
  assert.deepEqual(asSingleRowInsert(answering()), {
    sql: 'insert into t (a, b) values (?, ?)',
    args: [1, 'x'],
    result: 'done'
  })
})

test('any other transaction is not a single-row insert', () => {
  assert.equal(asSingleRowInsert(twice()), undefined)
  assert.equal(asSingleRowInsert(query('insert into t (a) values (?)', 1)), undefined)
})

test('several rows repeat the placeholders of one row', () => {
  const sql = 'insert into t (a, b) values (?, ?)'
  assert.equal(multiRowSql(sql, 1), sql)
  assert.equal(multiRowSql(sql, 3), `${sql}, (?, ?), (?, ?)`)
})

test('a row may contain parentheses and be inside a statement', () => {
  const row = '((select $a from p where b = ?), ?)'
  const sql = `with t as (insert into t (a, b) values ${row} returning a) insert into u select a from t`
  assert.equal(
    multiRowSql(sql, 2),
    sql.replace(row, () => `${row}, ${row}`)
  )
})

const SIZES: readonly [number, number, number][] = [
  [1, 3, 1],
  [2, 3, 2],
  [3, 3, 2],
  [127, 3, 64],
  [5_000, 3, 128],
  [5_000, 1_000, 32]
]

for (const [waiting, columns, expected] of SIZES) {
  test(`of ${waiting} rows of ${columns} columns ${expected} are inserted together`, () => {
    assert.equal(chunkSize(waiting, columns), expected)
  })
}
