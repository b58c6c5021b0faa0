import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entriesOf, isCut, numberKey, positionKey, textKey } from './index-key.ts'
import { sortKeyOf } from './order.ts'

function hex(key: Uint8Array): string {
  return Buffer.from(key).toString('hex')
}

test('numbers, strings and types have keys in the sort order', () => {
  const ordered = [
    null,
    ...[-Number.MAX_VALUE, -2, -1, -0.5, -5e-324],
    ...[0, 5e-324, 0.5, 1, 2, 1e300, Number.MAX_VALUE],
    ...['', 'A', 'a', 'aa', 'b', 'é', '\uffff', '😀'],
    { a: 1 },
    [],
    false,
    true
  ]
  const keys = ordered.map((value) => positionKey(sortKeyOf({ a: value }, ['a'])))
  assert.deepEqual(keys.map(hex), keys.toSorted(Buffer.compare).map(hex))
  assert.equal(new Set(keys.map(hex)).size, keys.length)
})

test('zero has one key', () => {
  assert.equal(hex(numberKey(-0)), hex(numberKey(0)))
  assert.equal(hex(numberKey(1)), '30bff0000000000000')
})

test('a long string is cut in bytes', () => {
  assert.equal(textKey('é'.repeat(500)).length, 201)
  assert.ok(isCut(textKey('a'.repeat(200))))
  assert.ok(!isCut(textKey('a'.repeat(199))))
})

const ENTRIES: readonly [string, string[]][] = [
  ['{"a":5}', ['sort 30c014000000000000']],
  ['{"a":"Ab"}', ['sort 404162', 'folded 406162']],
  ['{"a":null}', ['sort 10']],
  ['{}', ['sort 10']],
  ['{"a":{"b":1}}', ['sort 50']],
  ['{"a":[true,null,true]}', ['sort 58', 'value 61', 'value 10']],
  ['{"a":[{"b":1},[2]]}', ['sort 58']]
]

for (const [doc, entries] of ENTRIES) {
  test(`${doc} is found under ${entries.join(', ')}`, () => {
    const found = entriesOf(JSON.parse(doc), ['a'])
    assert.deepEqual(
      found.map(({ flavour, key }) => `${flavour} ${hex(key)}`),
      entries
    )
  })
}

test('a path follows arrays, by their objects and by index', () => {
  const doc = { a: [{ b: 1 }, { b: [2, 3] }, [4]] }
  const keys = entriesOf(doc, ['a', 'b']).map(({ flavour, key }) => `${flavour} ${hex(key)}`)
  assert.deepEqual(keys, ['sort 10', ...[1, 2, 3].map((value) => `value ${hex(numberKey(value))}`)])
  assert.deepEqual(
    entriesOf(doc, ['a', '2', '0']).map(({ key }) => hex(key)),
    ['10', hex(numberKey(4))]
  )
})

test('a record with too many values is always a candidate', () => {
  const doc = { a: Array.from({ length: 1001 }, (_, n) => n) }
  assert.deepEqual(
    entriesOf(doc, ['a']).map(({ flavour, key }) => `${flavour} ${hex(key)}`),
    ['sort 58', 'value 00', 'folded 00']
  )
})
