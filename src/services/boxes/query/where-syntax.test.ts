import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Filter, Test } from './filter.ts'
import { parseWhere } from './where-syntax.ts'

function member(path: string[], test: Test): Filter {
  return { kind: 'member', path, test }
}

function is(path: string[], ...values: unknown[]): Filter {
  return JSON.parse(JSON.stringify({ kind: 'member', path, test: { op: 'in', values } }))
}

function all(...filters: Filter[]): Filter {
  return { kind: 'and', filters }
}

function check(where: object | string, expected: Filter): void {
  const text = typeof where === 'string' ? where : JSON.stringify(where)
  assert.deepEqual(parseWhere(text), expected, text)
}

test('all members must be equal to their values', () => {
  check({}, all())
  check({ a: 1, 'b.c': null }, all(is(['a'], 1), is(['b', 'c'], null)))
  check({ a: {} }, all(is(['a'], {})))
  check({ a: { b: { $gt: 1 } } }, all(is(['a'], { b: { $gt: 1 } })))
  check({ a: [1, 'x'] }, all(is(['a'], [1, 'x'])))
})

test('paths', () => {
  check({ '': 1 }, all(is([''], 1)))
  check({ 'a..0': 1 }, all(is(['a', '', '0'], 1)))
  check({ '/$set/a.b/~0~1': 1 }, all(is(['$set', 'a.b', '~/'], 1)))
  check({ '/': 1 }, all(is([''], 1)))
  check({ '/~01': 1 }, all(is(['~1'], 1)))
})

test('operators', () => {
  const one = (operators: object, filter: Filter) => check({ a: operators }, all(all(filter)))
  const not = (filter: Filter): Filter => ({ kind: 'not', filter })
  one({ $eq: { $gt: 1 } }, is(['a'], { $gt: 1 }))
  one({ $ne: 1 }, not(is(['a'], 1)))
  one({ $gt: 1 }, member(['a'], { op: 'gt', value: 1 }))
  one({ $gte: 'x' }, member(['a'], { op: 'gte', value: 'x' }))
  one({ $lt: null }, member(['a'], { op: 'lt', value: null }))
  one({ $lte: true }, member(['a'], { op: 'lte', value: true }))
  one({ $in: [1, [2]] }, is(['a'], 1, [2]))
  one({ $in: [] }, is(['a']))
  one({ $nin: [1] }, not(is(['a'], 1)))
  one({ $exists: true }, member(['a'], { op: 'exists' }))
  one({ $exists: false }, not(member(['a'], { op: 'exists' })))
  one({ $type: 'null' }, member(['a'], { op: 'type', types: ['null'] }))
  one({ $type: ['number', 'array'] }, member(['a'], { op: 'type', types: ['number', 'array'] }))
  one({ $size: 0 }, member(['a'], { op: 'size', size: 0 }))
  one({ $all: [1, 2] }, all(is(['a'], 1), is(['a'], 2)))
  one({ $all: [] }, { kind: 'or', filters: [] })
  one({ $startsWith: 'K' }, member(['a'], { op: 'startsWith', text: 'K', folded: false }))
  one({ $endsWith: 'K' }, member(['a'], { op: 'endsWith', text: 'K', folded: false }))
  one({ $contains: 'K' }, member(['a'], { op: 'contains', text: 'K', folded: false }))
  one({ $ieq: 'K' }, member(['a'], { op: 'equals', text: 'k', folded: true }))
  one({ $istartsWith: 'K' }, member(['a'], { op: 'startsWith', text: 'k', folded: true }))
  one({ $iendsWith: 'K' }, member(['a'], { op: 'endsWith', text: 'k', folded: true }))
  one({ $icontains: '\u212a' }, member(['a'], { op: 'contains', text: 'k', folded: true }))
  check(
    { a: { $gt: 1, $lt: 2 } },
    all(all(member(['a'], { op: 'gt', value: 1 }), member(['a'], { op: 'lt', value: 2 })))
  )
})

test('elements of an array', () => {
  const one = (operand: object, filter: Filter, bare: boolean) =>
    check({ a: { $elemMatch: operand } }, all(all(member(['a'], { op: 'element', filter, bare }))))
  one({ $gt: 1 }, all(member([], { op: 'gt', value: 1 })), true)
  one({ b: 1 }, all(is(['b'], 1)), false)
  one({}, all(), false)
  one({ $or: [{ b: 1 }] }, all({ kind: 'or', filters: [all(is(['b'], 1))] }), false)
  one({ _id: 1, _createdOn: 'x' }, all(is(['_id'], 1), is(['_createdOn'], 'x')), false)
  const inner = member([], { op: 'element', filter: all(member([], { op: 'exists' })), bare: true })
  one({ $elemMatch: { $exists: true } }, all(inner), true)
})

test('combinations', () => {
  const parts = [all(is(['a'], 1)), all(is(['b'], 2))]
  check({ $and: [{ a: 1 }, { b: 2 }] }, all(all(...parts)))
  check({ $or: [{ a: 1 }, { b: 2 }] }, all({ kind: 'or', filters: parts }))
  check(
    { $nor: [{ a: 1 }, { b: 2 }] },
    all({ kind: 'not', filter: { kind: 'or', filters: parts } })
  )
  check({ $not: { a: 1 } }, all({ kind: 'not', filter: all(is(['a'], 1)) }))
})

test('system fields', () => {
  const test: Test = { op: 'exists' }
  check(
    { _collection: { $exists: true } },
    all(all({ kind: 'system', field: '_collection', test }))
  )
  check({ '/_id': 'x' }, all({ kind: 'system', field: '_id', test: { op: 'in', values: ['x'] } }))
  const from = Date.UTC(2020, 4)
  const date = { kind: 'date', field: '_createdOn', from, to: Infinity } as const
  check({ _createdOn: { $gte: '2020-05' } }, all(all(date)))
  const may = { ...date, to: Date.UTC(2020, 5) }
  check({ _createdOn: '2020-05' }, all({ kind: 'or', filters: [may] }))
  check(
    { _createdOn: { $in: ['2020-05', '2020-05'] } },
    all(all({ kind: 'or', filters: [may, may] }))
  )
  check({ _createdOn: { $ieq: '2020-05' } }, all(all(may)))
  check({ _updatedOn: { $exists: true } }, all(all({ kind: 'system', field: '_updatedOn', test })))
})

test('operands are converted as in the query copy', () => {
  check('{"a\\u0000":1e400}', all(is(['a\uFFFD'], Number.MAX_VALUE)))
  check(
    '{"a":{"$contains":"\\ud800"}}',
    all(all(member(['a'], { op: 'contains', text: '\uFFFD', folded: false })))
  )
})

test('an escaped name is read as it is', () => {
  JSON.parse('{"a\\\\":1}')
  check('{"a\\"":1}', all(is(['a"'], 1)))
})

function checkRejected(where: unknown, reason: string): void {
  const text = typeof where === 'string' ? where : JSON.stringify(where)
  const expected = { code: 'INVALID_QUERY', statusCode: 400, message: 'Invalid query', reason }
  assert.throws(() => parseWhere(text), expected, text)
}

test('invalid filters are rejected', () => {
  checkRejected('{', 'not JSON')
  checkRejected('', 'not JSON')
  checkRejected([], 'a filter must be an object')
  checkRejected('null', 'a filter must be an object')
  checkRejected({ $and: {} }, '$and must be an array of filters')
  checkRejected({ $or: [] }, '$or must be an array of filters')
  checkRejected({ $nor: [1] }, 'a filter must be an object')
  checkRejected({ $not: [] }, 'a filter must be an object')
  checkRejected({ a: { $gt: 1, b: 2 } }, '"b" is not an operator')
  checkRejected({ a: { b: 2, $gt: 1 } }, '"b" is not an operator')
  checkRejected({ '/~2': 1 }, '"/~2": "~" must be followed by 0 or 1')
  checkRejected({ '/a~': 1 }, '"/a~": "~" must be followed by 0 or 1')
  checkRejected({ a: { $gt: [] } }, '$gt expects a number, string, boolean or null')
  checkRejected({ a: { $lte: {} } }, '$lte expects a number, string, boolean or null')
  checkRejected({ a: { $in: 1 } }, '$in expects an array')
  checkRejected({ a: { $all: {} } }, '$all expects an array')
  checkRejected({ a: { $exists: 1 } }, '$exists expects true or false')
  for (const size of [-1, 1.5, '1', null]) {
    checkRejected({ a: { $size: size } }, '$size expects a whole number, 0 or greater')
  }
  const types = '$type expects one of null, number, string, object, array, boolean'
  checkRejected({ a: { $type: 'int' } }, types)
  checkRejected({ a: { $type: ['null', 1] } }, types)
  checkRejected({ a: { $icontains: 1 } }, '$icontains expects a string')
  checkRejected({ a: { $elemMatch: 1 } }, 'a filter must be an object')
  checkRejected({ a: { $elemMatch: { $gt: 1, b: 1 } } }, '"b" is not an operator')
  checkRejected({ _createdOn: 2020 }, '_createdOn must be compared with an ISO date')
  checkRejected({ _updatedOn: { $gt: null } }, '_updatedOn must be compared with an ISO date')
})

test('an unknown operator is named', () => {
  for (const [where, name] of [
    [{ $text: 'x' }, '$text'],
    [{ $where: 'x' }, '$where'],
    [{ a: { $regex: 'x' } }, '$regex'],
    [{ a: { $not: { $gt: 1 } } }, '$not'],
    [{ a: { $elemMatch: { $or: [], $foo: 1 } } }, '$foo'],
    [{ a: { $toString: 1 } }, '$toString']
  ] as const) {
    const expected = {
      code: 'UNKNOWN_OPERATOR',
      statusCode: 400,
      message: `Unknown operator ${name}`
    }
    assert.throws(() => parseWhere(JSON.stringify(where).replace('[]', '[{}]')), expected)
  }
})

test('limits', () => {
  const deep = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`
  parseWhere(deep(63))
  checkRejected(deep(64), 'nested deeper than 64 levels')
  checkRejected(deep(4000), 'nested deeper than 64 levels')
  checkRejected(
    `{"\\u0061":${'['.repeat(4000)}${']'.repeat(4000)}}`,
    'nested deeper than 64 levels'
  )
  parseWhere(JSON.stringify({ $or: Array(100).fill({ a: 1 }) }))
  checkRejected({ $or: Array(101).fill({ a: 1 }) }, 'more than 100 conditions')
  checkRejected({ $not: { a: { $all: Array(101).fill(1) } } }, 'more than 100 conditions')
  checkRejected(
    { a: { $elemMatch: { $and: Array(100).fill({ b: 1 }) } } },
    'more than 100 conditions'
  )
  checkRejected(
    { $or: Array(101).fill({ _createdOn: { $gt: '2020' } }) },
    'more than 100 conditions'
  )
  parseWhere(JSON.stringify({ a: { $in: Array(1000).fill(1) } }))
  checkRejected({ a: { $in: Array(1001).fill(1) } }, '$in expects at most 1000 values')
  checkRejected({ a: { $nin: Array(1001).fill(1) } }, '$nin expects at most 1000 values')
  checkRejected({ ['a.'.repeat(16)]: 1 }, 'a path of more than 16 segments')
  checkRejected({ [`/${'a'.repeat(129)}`]: 1 }, 'a path segment of more than 128 characters')
  checkRejected(`{"a":"${'é'.repeat(4093)}"}`, 'longer than 8192 bytes')
})
