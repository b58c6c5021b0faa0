import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSort } from './sort-syntax.ts'

function check(text: string | undefined, ...fields: [string, string[]][]): void {
  const found = parseSort(text).map(({ path, descending }) => [descending ? '-' : '+', path])
  assert.deepEqual(found, fields, text)
}

test('fields with their direction', () => {
  check('a', ['+', ['a']])
  check('-a.b,name', ['-', ['a', 'b']], ['+', ['name']])
  check('\\-a,-\\-b', ['+', ['-a']], ['-', ['-b']])
  check('a\\.b,c\\,d,e\\\\', ['+', ['a.b']], ['+', ['c,d']], ['+', ['e\\']])
  check('--a', ['-', ['-a']])
  check('a.', ['+', ['a', '']])
})

test('by default, the newest records are first', () => {
  check(undefined, ['-', ['_createdOn']])
  check('', ['-', ['_createdOn']])
  assert.deepEqual(parseSort(undefined), parseSort('-_createdOn'))
})

test('system fields are recognised', () => {
  const systems = parseSort('_id,_createdOn,_updatedOn,_collection,_id.x,_expiry,id')
  const expected = [
    '_id',
    '_createdOn',
    '_updatedOn',
    '_collection',
    undefined,
    undefined,
    undefined
  ]
  assert.deepEqual(
    systems.map(({ system }) => system),
    expected
  )
})

test('invalid sorts are rejected', () => {
  for (const [text, reason] of [
    ['a,,b', 'a field without a name'],
    ['-', 'a field without a name'],
    ['a,', 'a field without a name'],
    ['a\\', 'a "\\" at the end escapes nothing'],
    ['a,b,c,d,e,f,g,h,i', 'more than 8 fields'],
    ['a.'.repeat(16), 'a path of more than 16 segments'],
    ['a'.repeat(129), 'a path segment of more than 128 characters'],
    ['a,'.repeat(5000), 'longer than 8192 bytes']
  ] as const) {
    const expected = { code: 'INVALID_SORT', statusCode: 400, message: 'Invalid sort', reason }
    assert.throws(() => parseSort(text), expected, text)
  }
  parseSort('a,b,c,d,e,f,g,h')
})
