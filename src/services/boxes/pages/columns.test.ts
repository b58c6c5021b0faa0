import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cellOf, chooseColumns, readMembers, widthOf } from './columns.ts'

test('columns are the keys that most records have, in the order of the records', () => {
  const records = [
    '{"rare":1,"a":1,"b":2}',
    '{"a":1, "b":2,"c":3, "d":4 ,"e":5}',
    '{"c":3,"d":4,"a":1,"b":0}'
  ].map(readMembers)
  assert.deepEqual(chooseColumns(records), { names: ['a', 'b', 'c', 'd'], others: 2 })
  assert.deepEqual(chooseColumns([]), { names: [], others: 0 })
})

test('values are shown as they were sent, except for the quotes of strings', () => {
  const members = readMembers(
    '{"n":1.0,"big":12345678901234567890,"s":"a\\n\\u00e9","o":{ "x" : 1 },"e":"","n":-0}'
  )
  const shown = [...members].map(([name, value]) => [name, cellOf(value)])
  assert.deepEqual(Object.fromEntries(shown), {
    n: { kind: 'value', text: '-0' },
    big: { kind: 'value', text: '12345678901234567890' },
    s: { kind: 'text', text: 'a é' },
    o: { kind: 'json', text: '{ "x" : 1 }' },
    e: { kind: 'value', text: '""' }
  })
  assert.deepEqual(cellOf(undefined), { kind: 'none', text: '' })
})

test('a long value is cut, and a surrogate pair is not split', () => {
  const { text } = cellOf(JSON.stringify(`${'x'.repeat(78)}😀y`))
  assert.equal(text, `${'x'.repeat(78)}…`)
})

test('a column of short values is narrow', () => {
  const cells = ['1', '20'].map(cellOf)
  assert.equal(widthOf('n', cells), 'w1')
  assert.equal(widthOf('quantity', cells), 'w2')
  assert.equal(widthOf('n', [cellOf('"a long value of a record"')]), '')
})
