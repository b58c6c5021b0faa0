import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '../../../kernel/json.ts'
import { matches } from './evaluate.ts'
import type { Candidate } from './filter.ts'
import { parseQ } from './q-syntax.ts'
import { parseWhere } from './where-syntax.ts'

const record: Candidate = {
  pk: 1,
  id: '5f00000000000000000000aa',
  createdMs: Date.UTC(2020, 4, 1, 10, 30, 5, 678),
  updatedMs: null,
  collection: null,
  doc: {}
}

/** `yes` are documents that match, and `no` those that do not. */
function check(where: object, { yes = [], no = [] }: { yes?: Json[]; no?: Json[] }): void {
  const filter = parseWhere(JSON.stringify(where))
  for (const doc of yes) assert.ok(matches(filter, { ...record, doc }), describe(where, doc))
  for (const doc of no) assert.ok(!matches(filter, { ...record, doc }), describe(where, doc))
}

function describe(where: object, doc: Json): string {
  return `${JSON.stringify(where)} on ${JSON.stringify(doc)}`
}

test('equality is within one type and deep', () => {
  check({ a: 1 }, { yes: [{ a: 1 }, { a: [2, 1] }], no: [{}, { a: '1' }, { a: true }, { b: 1 }] })
  check({ a: '' }, { yes: [{ a: '' }], no: [{ a: null }, { a: 0 }] })
  check({ a: null }, { yes: [{ a: null }, { a: [null] }], no: [{}, { a: 0 }, { a: false }] })
  check({ a: 'é' }, { yes: [{ a: 'é' }], no: [{ a: 'e\u0301' }, { a: 'É' }] })
  check(
    { a: { b: 1, c: [1, { d: 2 }] } },
    {
      yes: [{ a: { c: [1, { d: 2 }], b: 1 } }, { a: [{ b: 1, c: [1, { d: 2 }] }] }],
      no: [{ a: { b: 1 } }, { a: { b: 1, c: [1, { d: 3 }] } }, { a: { b: 1, c: [1], d: 0 } }]
    }
  )
  check({ a: {} }, { yes: [{ a: {} }], no: [{ a: [] }, { a: null }, { a: { b: 1 } }] })
  check({ a: [1] }, { yes: [{ a: [1] }, { a: [[1]] }], no: [{ a: [1, 2] }, { a: 1 }, { a: {} }] })
  check({ a: { x: null } }, { yes: [{ a: { x: null } }], no: [{ a: { y: null } }, { a: 'x' }] })
  check({ a: { toString: null } }, { no: [{ a: { x: null } }] })
  check({ a: [null] }, { yes: [{ a: [null] }], no: [{ a: [] }] })
})

test('paths follow objects and arrays', () => {
  check({ 'a.b': 1 }, { yes: [{ a: { b: 1 } }, { a: [{ b: 1 }] }], no: [{ 'a.b': 1 }, { a: 1 }] })
  check({ 'a.b': 1 }, { yes: [{ a: [0, { b: [0, 1] }] }], no: [{ a: [[{ b: 1 }]] }] })
  check(
    { 'a.0': 1 },
    { yes: [{ a: [1] }, { a: { 0: 1 } }, { a: [{ 0: 1 }] }], no: [{ a: [2, 1] }] }
  )
  check({ 'a.0.b': 1 }, { yes: [{ a: [{ b: 1 }] }], no: [{ a: [{}, { b: 1 }] }] })
  check({ 'a.0.0': 1 }, { yes: [{ a: [[1]] }], no: [{ a: [1] }] })
  check({ 'a.1': { $exists: true } }, { yes: [{ a: [0, 0] }], no: [{ a: [0] }] })
  check({ 'a.01': 1 }, { no: [{ a: [0, 1] }] })
  check({ 'a.length': 1 }, { no: [{ a: [0] }] })
  check({ 'a.0': 'x' }, { no: [{ a: 'x' }] })
  check({ '/a.b': 1 }, { yes: [{ 'a.b': 1 }], no: [{ a: { b: 1 } }] })
  check({ toString: { $exists: true } }, { no: [{}] })
  check({ '__proto__.x': 1 }, { yes: [JSON.parse('{"__proto__":{"x":1}}')], no: [{ x: 1 }] })
})

test('comparison stays within one type', () => {
  check(
    { a: { $gt: 1 } },
    { yes: [{ a: 2 }, { a: [0, 2] }], no: [{ a: 1 }, { a: '2' }, { a: true }] }
  )
  check({ a: { $gte: 1 } }, { yes: [{ a: 1 }], no: [{ a: 0.9 }, {}] })
  check(
    { a: { $lt: 1 } },
    { yes: [{ a: 0 }, { a: -5 }], no: [{ a: 1 }, { a: null }, { a: false }] }
  )
  check({ a: { $lte: 1 } }, { yes: [{ a: 1 }], no: [{ a: 1.1 }] })
  check(
    { a: { $gt: 'b' } },
    { yes: [{ a: 'ba' }, { a: 'é' }], no: [{ a: 'b' }, { a: 'B' }, { a: 9 }] }
  )
  check({ a: { $gt: '\uffff' } }, { yes: [{ a: '😀' }], no: [{ a: '\ue000' }] })
  check({ a: { $lt: '😀' } }, { yes: [{ a: '\uffff' }], no: [{ a: '😀a' }] })
  check({ a: { $gt: false } }, { yes: [{ a: true }], no: [{ a: false }, { a: 1 }] })
  check({ a: { $gte: null } }, { yes: [{ a: null }], no: [{}, { a: 0 }] })
  check({ a: { $lt: null } }, { no: [{ a: null }, { a: -1 }] })
  check({ a: { $gt: 1, $lt: 3 } }, { yes: [{ a: 2 }, { a: [0, 4] }], no: [{ a: 4 }] })
})

test('sets of values, negations and existence', () => {
  check({ a: { $in: [1, 'x', null] } }, { yes: [{ a: 'x' }, { a: null }], no: [{ a: 2 }, {}] })
  check({ a: { $nin: [1, 2] } }, { yes: [{ a: 3 }, {}], no: [{ a: 1 }, { a: [5, 2] }] })
  check({ a: { $ne: 1 } }, { yes: [{ a: 2 }, {}], no: [{ a: 1 }, { a: [1, 2] }] })
  check({ a: { $exists: true } }, { yes: [{ a: null }, { a: [] }], no: [{}] })
  check({ a: { $exists: false } }, { yes: [{}], no: [{ a: null }] })
  check({ a: { $all: [1, 2] } }, { yes: [{ a: [2, 3, 1] }], no: [{ a: [1] }, { a: 1 }] })
  check({ a: { $all: [] } }, { no: [{ a: [] }, {}] })
  check({ a: { $in: [] } }, { no: [{ a: [] }, {}] })
})

test('types, sizes and elements', () => {
  const values = { null: null, number: 1, string: '', object: {}, array: [[]], boolean: false }
  for (const [type, value] of Object.entries(values)) {
    const others = Object.entries(values).filter(([name]) => name !== type && name !== 'array')
    check(
      { a: { $type: type } },
      { yes: [{ a: value }], no: others.map(([, other]) => ({ a: other })) }
    )
  }
  check(
    { a: { $type: ['number', 'null'] } },
    { yes: [{ a: null }, { a: ['', 1] }], no: [{ a: '' }] }
  )
  check({ a: { $size: 2 } }, { yes: [{ a: [1, 2] }], no: [{ a: [[1, 2]] }, { a: 'ab' }, {}] })
  check({ a: { $size: 0 } }, { yes: [{ a: [] }], no: [{ a: [1] }, { a: {} }] })
  check({ 'a.b': { $size: 1 } }, { yes: [{ a: [{ b: [1] }] }], no: [{ a: [{ b: [] }] }] })
  check(
    { a: { $elemMatch: { $gt: 1, $lt: 3 } } },
    { yes: [{ a: [2] }], no: [{ a: [0, 4] }, { a: 2 }] }
  )
  check(
    { a: { $elemMatch: { b: 1, c: 2 } } },
    { yes: [{ a: [{ b: 1, c: 2 }] }], no: [{ a: [{ b: 1 }, { c: 2 }] }, { a: { b: 1, c: 2 } }] }
  )
  check(
    { a: { $elemMatch: { b: { $ne: 1 } } } },
    { yes: [{ a: [{}] }], no: [{ a: [5, [], null] }] }
  )
  check({ a: { $elemMatch: { $ne: 1 } } }, { yes: [{ a: [2] }], no: [{ a: [1] }, { a: [] }] })
})

test('parts of strings', () => {
  check(
    { a: { $startsWith: 'ab' } },
    { yes: [{ a: 'abc' }, { a: ['x', 'ab'] }], no: [{ a: 'Ab' }, { a: 'xab' }] }
  )
  check({ a: { $endsWith: 'ab' } }, { yes: [{ a: 'xab' }], no: [{ a: 'abx' }, { a: 'AB' }] })
  check(
    { a: { $contains: 'ab' } },
    { yes: [{ a: 'xabx' }], no: [{ a: 'axb' }, { a: 'AB' }, { a: 1 }] }
  )
  check(
    { a: { $ieq: 'STRASSE' } },
    { yes: [{ a: 'strasse' }], no: [{ a: 'straße' }, { a: 'strasse!' }] }
  )
  check(
    { a: { $ieq: 'É' } },
    { yes: [{ a: 'é' }, { a: 'e\u0301' }, { a: 'E\u0301' }], no: [{ a: 'e' }] }
  )
  check({ a: { $ieq: 'k' } }, { yes: [{ a: '\u212a' }, { a: 'K' }], no: [{ a: 'kk' }] })
  check({ a: { $ieq: '\u0130' } }, { yes: [{ a: 'i\u0307' }], no: [{ a: 'i' }] })
  check({ a: { $istartsWith: 'AB' } }, { yes: [{ a: 'aBc' }], no: [{ a: 'xab' }] })
  check({ a: { $iendsWith: 'AB' } }, { yes: [{ a: 'xaB' }], no: [{ a: 'abx' }] })
  check({ a: { $icontains: 'É' } }, { yes: [{ a: 'caFe\u0301s' }], no: [{ a: 'cafes' }] })
  check({ a: { $icontains: '' } }, { yes: [{ a: '' }, { a: ['x'] }], no: [{ a: 1 }, {}] })
})

test('combinations', () => {
  const [both, first, none] = [{ a: 1, b: 1 }, { a: 1 }, {}]
  check({ a: 1, b: 1 }, { yes: [both], no: [first, none] })
  check({ $and: [{ a: 1 }, { b: 1 }] }, { yes: [both], no: [first, none] })
  check({ $or: [{ a: 1 }, { b: 1 }] }, { yes: [both, first], no: [none] })
  check({ $nor: [{ a: 1 }, { b: 1 }] }, { yes: [none], no: [both, first] })
  check({ $not: { a: 1, b: 1 } }, { yes: [first, none], no: [both] })
  check({}, { yes: [none] })
})

test('the terms of q', () => {
  const arya = {
    name: 'Arya Stark',
    age: 18,
    tags: ['a', 'B'],
    ok: true,
    t: '10:30',
    at: '2020-05-01'
  }
  const found = (q: string) => matches(parseQ([q]), { ...record, doc: arya })
  for (const q of [
    ...[
      'name:*stark',
      'name:arya*',
      'name:*A S*',
      'name:arya stark',
      'name:*',
      'age:>=18',
      'age:=18'
    ],
    ...[
      'age:>17,age:<19',
      'tags:b',
      'ok:true',
      't:10:30',
      'at:>=2020-05',
      'at:<2021-01',
      'at:=2020-05-01'
    ]
  ]) {
    assert.ok(found(q), q)
  }
  for (const q of [
    ...['name:stark', 'age:18', 'age:*', 'ok:false', 'ok:=true', 'name:a.*', 'tags:c', 'x:', 'x:*'],
    ...['age:>17,age:<18', 't:10', 'name:=arya stark', 'at:>2020-05-01']
  ]) {
    assert.ok(!found(q), q)
  }
})

test('system fields', () => {
  const changed = { ...record, updatedMs: Date.UTC(2021, 0), collection: 'People' }
  const found = (where: object, candidate = record) =>
    matches(parseWhere(JSON.stringify(where)), candidate)
  for (const where of [
    { _id: record.id },
    { _id: { $gt: '5e' } },
    { _id: { $ieq: record.id.toUpperCase() } },
    { _createdOn: '2020' },
    { _createdOn: { $gte: '2020-05-01T10:30:05.678Z', $lte: '2020-05-01T10:30:05.678Z' } },
    { _createdOn: { $startsWith: '2020-05-01T10' } },
    { _createdOn: { $endsWith: '05.678Z' } },
    { _createdOn: { $type: 'string' } },
    { _updatedOn: { $exists: false } },
    { _collection: { $exists: false } },
    { _updatedOn: { $ne: '2020' } }
  ]) {
    assert.ok(found(where), JSON.stringify(where))
  }
  for (const where of [
    { _id: 'x' },
    { _id: 5 },
    { _createdOn: { $gt: '2020' } },
    { _createdOn: { $gte: '2020-05-01T10:30:05.679Z' } },
    { _createdOn: { $lt: '2020-05-01T10:30:05.678Z' } },
    { _createdOn: { $size: 1 } },
    { _updatedOn: '2020' },
    { _updatedOn: { $lt: '2100' } },
    { _collection: { $gte: '' } }
  ]) {
    assert.ok(!found(where), JSON.stringify(where))
  }
  assert.ok(found({ _updatedOn: '2021-01-01', _collection: 'People' }, changed))
  assert.ok(found({ _updatedOn: { $contains: '2021' } }, changed))
  assert.ok(!found({ _collection: 'people' }, changed))
  assert.ok(!found({ _updatedOn: { $lt: '2021' } }, changed))
})
