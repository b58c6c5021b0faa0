import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dateFilter } from './dates.ts'

function check(text: string, from: string, to: string): void {
  const expected = { kind: 'date', field: '_createdOn', from: Date.parse(from), to: Date.parse(to) }
  assert.deepEqual(dateFilter('_createdOn', 'eq', text), expected, text)
}

test('a date is the whole period that it names', () => {
  check('2020', '2020-01-01T00:00:00.000Z', '2021-01-01T00:00:00.000Z')
  check('2020-02', '2020-02-01T00:00:00.000Z', '2020-03-01T00:00:00.000Z')
  check('2020-12', '2020-12-01T00:00:00.000Z', '2021-01-01T00:00:00.000Z')
  check('2020-02-29', '2020-02-29T00:00:00.000Z', '2020-03-01T00:00:00.000Z')
  check('2020-05-01T23', '2020-05-01T23:00:00.000Z', '2020-05-02T00:00:00.000Z')
  check('2020-05-01T10:59', '2020-05-01T10:59:00.000Z', '2020-05-01T11:00:00.000Z')
  check('2020-05-01T10:30:59', '2020-05-01T10:30:59.000Z', '2020-05-01T10:31:00.000Z')
  check('2020-05-01T10:30:05.1', '2020-05-01T10:30:05.100Z', '2020-05-01T10:30:05.200Z')
  check('2020-05-01T10:30:05.12', '2020-05-01T10:30:05.120Z', '2020-05-01T10:30:05.130Z')
  check('2020-05-01T10:30:05.678Z', '2020-05-01T10:30:05.678Z', '2020-05-01T10:30:05.679Z')
  check('2020-05-01t10:30:05.678901z', '2020-05-01T10:30:05.678Z', '2020-05-01T10:30:05.679Z')
  check('2020-05-01T10:30+02:30', '2020-05-01T08:00:00.000Z', '2020-05-01T08:01:00.000Z')
  check('2020-05-01T22-02:00', '2020-05-02T00:00:00.000Z', '2020-05-02T01:00:00.000Z')
  check('0050-01-01', '0050-01-01T00:00:00.000Z', '0050-01-02T00:00:00.000Z')
  check('9999', '9999-01-01T00:00:00.000Z', '+010000-01-01T00:00:00.000Z')
})

test('comparisons use the whole period', () => {
  const from = Date.UTC(2020, 0)
  const to = Date.UTC(2021, 0)
  for (const [op, expected] of [
    ['gt', [to, Number.POSITIVE_INFINITY]],
    ['gte', [from, Number.POSITIVE_INFINITY]],
    ['lt', [Number.NEGATIVE_INFINITY, from]],
    ['lte', [Number.NEGATIVE_INFINITY, to]],
    ['eq', [from, to]]
  ] as const) {
    const wanted = { kind: 'date', field: '_updatedOn', from: expected[0], to: expected[1] }
    assert.deepEqual(dateFilter('_updatedOn', op, '2020'), wanted, op)
  }
})

test('invalid dates', () => {
  for (const text of [
    ...['', '20', '202', '20200', '2020-', '2020-1', '2020-13', '2020-00', '2020-02-30'],
    ...['2020-05-01T', '2020-05-01T24', '2020-05-01T10:60', '2020-05-01T10:30:60', '2020-05-01 10'],
    ...['2020-05-01T10:30.5', '2020-05-01T10:30:05.', '2020-05-01Z', '2020-05-01+02:00', '2020Z'],
    ...['2020-05-01T10+24:00', '2020-05-01T10+02:60', '2020-05-01T10+0200', ' 2020', '2020 ', 'x']
  ]) {
    assert.equal(dateFilter('_createdOn', 'eq', text), undefined, text)
  }
})
