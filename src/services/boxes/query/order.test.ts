import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '../../../kernel/json.ts'
import type { Candidate } from './filter.ts'
import { comparePositions, positionOf } from './order.ts'
import { parseSort } from './sort-syntax.ts'

const record: Candidate = {
  pk: 0,
  id: 'a',
  createdMs: 0,
  updatedMs: null,
  collection: null,
  doc: {}
}

function order(sort: string, candidates: Candidate[]): number[] {
  const fields = parseSort(sort)
  const positions = candidates.map((candidate) => positionOf(fields, candidate))
  // Sorted in both directions, so that the order of the input does not matter.
  const sorted = [...positions].sort((one, other) => comparePositions(fields, one, other))
  const again = positions.reverse().sort((one, other) => comparePositions(fields, one, other))
  assert.deepEqual(sorted, again)
  return sorted.map(({ pk }) => pk)
}

/** `docs` are in the expected order; equal ones are in the order of insertion. */
function check(sort: string, docs: Json[]): void {
  const candidates = docs.map((doc, pk) => ({ ...record, doc, pk }))
  const shuffled = candidates.toSorted((one, other) => ((one.pk * 7) % 5) - ((other.pk * 7) % 5))
  assert.deepEqual(order(sort, shuffled), [...docs.keys()], sort)
}

test('types have an order, and so have values', () => {
  check('a', [
    ...[{}, { a: null }, { b: 1 }, { a: -1e300 }, { a: -1 }, { a: 0 }, { a: 0.5 }, { a: 10 }],
    ...[{ a: '' }, { a: '10' }, { a: '9' }, { a: 'B' }, { a: 'a' }, { a: 'ab' }, { a: 'é' }],
    ...[{ a: '\ue000' }, { a: '\uffff' }, { a: '\u{10000}' }, { a: '😀' }, { a: '😁' }],
    ...[{ a: { z: 1 } }, { a: { a: 1 } }, { a: [2] }, { a: [] }, { a: [1] }],
    ...[{ a: false }, { a: false }, { a: true }]
  ])
})

test('paths follow objects only', () => {
  check('a.b', [{ a: [{ b: 1 }] }, { a: 'x' }, {}, { a: { b: 0 } }, { a: { b: 1 } }])
  check('a.0', [{ a: [5] }, { a: { 0: 1 } }])
  check('toString', [{}, { toString: 0 }])
})

test('descending reverses the order, but not that of equal records', () => {
  const docs = [{ a: 1 }, { a: 1 }, {}, { a: 'x' }]
  const candidates = docs.map((doc, pk) => ({ ...record, doc, pk }))
  assert.deepEqual(order('a', candidates), [2, 0, 1, 3])
  assert.deepEqual(order('-a', candidates), [3, 0, 1, 2])
})

test('several fields; equal records are in the order of insertion', () => {
  const docs = [
    { a: 1, b: 1 },
    { a: 1, b: 2 },
    { a: 2, b: 1 },
    { a: 1, b: 1 }
  ]
  const candidates = docs.map((doc, pk) => ({ ...record, doc, pk }))
  assert.deepEqual(order('a,b', candidates), [0, 3, 1, 2])
  assert.deepEqual(order('-a,b', candidates), [2, 0, 3, 1])
  assert.deepEqual(order('a,-b', candidates), [1, 0, 3, 2])
})

test('system fields', () => {
  const candidates = [
    { ...record, pk: 1, id: 'b', createdMs: 10, collection: 'x' },
    { ...record, pk: 2, id: 'a', createdMs: 9, updatedMs: 5 },
    { ...record, pk: 3, id: 'c', createdMs: 10, updatedMs: 4, collection: 'B' }
  ]
  assert.deepEqual(order('_id', candidates), [2, 1, 3])
  assert.deepEqual(order('_createdOn', candidates), [2, 1, 3])
  assert.deepEqual(order('-_createdOn', candidates), [1, 3, 2])
  assert.deepEqual(order('_updatedOn', candidates), [1, 3, 2])
  assert.deepEqual(order('_collection', candidates), [2, 3, 1])
})
