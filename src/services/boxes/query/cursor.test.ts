import assert from 'node:assert/strict'
import { test } from 'node:test'
import { afterSql, decodeCursor, encodeCursor } from './cursor.ts'
import { RANKS, type SortKey } from './order.ts'
import { parseSort } from './sort-syntax.ts'

const MEMBER_KEYS: SortKey[] = [
  { rank: RANKS.null },
  { rank: RANKS.number, value: -1.5e300 },
  { rank: RANKS.string, value: 'é😀"' },
  { rank: RANKS.object },
  { rank: RANKS.array },
  { rank: RANKS.boolean, value: 0 },
  { rank: RANKS.boolean, value: 1 }
]
const KEYS: Record<string, SortKey[]> = {
  a: MEMBER_KEYS,
  _id: [{ rank: RANKS.string, value: 'x' }],
  _createdOn: [{ rank: RANKS.number, value: 5 }],
  _updatedOn: [{ rank: RANKS.number, value: 5 }, { rank: RANKS.null }],
  _collection: [{ rank: RANKS.string, value: 'x' }, { rank: RANKS.null }]
}

test('a cursor is decoded to its position', () => {
  for (const [field, keys] of Object.entries(KEYS)) {
    for (const key of keys) {
      const sort = parseSort(`-${field},a`)
      const position = { keys: [key, { rank: RANKS.null }], pk: 12 }
      const cursor = encodeCursor(sort, position)
      assert.ok(cursor)
      assert.match(cursor, /^[\w-]+$/)
      assert.deepEqual(decodeCursor(sort, cursor), position)
    }
  }
})

function rejects(sort: string, cursor: string): void {
  const expected = { code: 'INVALID_CURSOR', statusCode: 400 }
  assert.throws(() => decodeCursor(parseSort(sort), cursor), expected, cursor)
}

test('a cursor of another sort is rejected', () => {
  const position = { keys: [{ rank: RANKS.null }], pk: 1 }
  const cursor = encodeCursor(parseSort('a'), position) ?? ''
  decodeCursor(parseSort('a'), cursor)
  for (const other of ['-a', 'b', 'a,a', 'a.a', '_updatedOn']) rejects(other, cursor)
})

/** A cursor with the right digest and other contents. */
function forge(sort: string, keys: unknown, pk: unknown, ...rest: unknown[]): string {
  const genuine = encodeCursor(parseSort(sort), { keys: [], pk: 0 }) ?? ''
  const [digest] = JSON.parse(Buffer.from(genuine, 'base64url').toString())
  return Buffer.from(JSON.stringify([digest, keys, pk, ...rest])).toString('base64url')
}

test('invalid positions are rejected', () => {
  decodeCursor(parseSort('a'), forge('a', [[0]], 1))
  for (const cursor of [
    '',
    'x',
    '!',
    'e30',
    'bnVsbA',
    'W10',
    Buffer.from('[').toString('base64url')
  ]) {
    rejects('a', cursor)
  }
  for (const pk of [1.5, '1', null, 2 ** 53]) rejects('a', forge('a', [[0]], pk))
  for (const keys of [null, 1, [], [[0], [0]], [0], [['0']], [[null]], {}]) {
    rejects('a', forge('a', keys, 1))
  }
  rejects('a', forge('a', [[0]], 1, 2))
  rejects('a', `${forge('a', [[0]], 1)}=`)
  for (const key of [
    ...[
      [0, 1],
      [0, null],
      [1],
      [1, 'x'],
      [1, null],
      [2],
      [2, 1],
      [2, 'x\0'],
      [2, '\ud800'],
      [3, 1]
    ],
    ...[[4, 'x'], [5], [5, 2], [5, true], [6], [-1], [1.5], [1, 1, 1]]
  ]) {
    rejects('a', forge('a', [key], 1))
  }
  rejects('a', forge('a', [[1, 0]], 1).replace(/.$/, ''))
  for (const key of [[0], [1, 1.5], [1, '1'], [2, 'x'], [1, 2 ** 60]]) {
    rejects('_createdOn', forge('_createdOn', [key], 1))
  }
  for (const key of [[2, 'x'], [1, 0.5], [3]]) rejects('_updatedOn', forge('_updatedOn', [key], 1))
  for (const key of [[0], [1, 1], [2, 'x\0']]) rejects('_id', forge('_id', [key], 1))
  for (const key of [[1, 1], [3], [2]]) rejects('_collection', forge('_collection', [key], 1))
})

test('infinity is rejected', () => {
  const text = Buffer.from(forge('a', [[1, 7]], 1), 'base64url')
    .toString()
    .replace('7', '1e999')
  rejects('a', Buffer.from(text).toString('base64url'))
})

test('a sort value that is too long for a URL has no cursor', () => {
  const sort = parseSort('a')
  const at = (length: number) => ({ keys: [{ rank: 2, value: 'x'.repeat(length) }], pk: 1 })
  assert.ok(encodeCursor(sort, at(1400)))
  assert.equal(encodeCursor(sort, at(1500)), undefined)
  rejects('a', forge('a', [[2, 'x'.repeat(1500)]], 1))
})

test('the condition for later records has all values bound', () => {
  const position = { keys: [{ rank: 1, value: 5 }], pk: 7 }
  assert.deepEqual(afterSql(parseSort('-_createdOn'), position, 'sqlite'), {
    sql: '(created < ? or (created = ? and pk > ?))',
    args: [5, 5, 7]
  })
  assert.deepEqual(afterSql(parseSort('_createdOn'), position, 'postgres'), {
    sql: '(created > ?::bigint or (created = ?::bigint and pk > ?::bigint))',
    args: [5, 5, 7]
  })
})
