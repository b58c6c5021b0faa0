import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFieldTree, pickFields } from './fields.ts'

const RECORD = '{ "a" : 1.0,"b":{"c":[ 1 ],"d":2}, "l":[{"c":1,"d":2},3,{"d":4},[{"c":5}]],"a":2 }'

const CASES: readonly [string[], string][] = [
  [['a'], '{"a" : 1.0,"a":2}'],
  [['b.c'], '{"b":{"c":[ 1 ]}}'],
  [['l.c'], '{"l":[{"c":1},{}]}'],
  [['b', 'b.c'], '{"b":{"c":[ 1 ],"d":2}}'],
  [['b.c', 'b'], '{"b":{"c":[ 1 ],"d":2}}'],
  [['b.c', 'b.d'], '{"b":{"c":[ 1 ],"d":2}}'],
  [['a.x', 'none'], '{}'],
  [['b.none'], '{"b":{}}']
]

for (const [fields, expected] of CASES) {
  test(`${fields.join()} → ${expected}`, () => {
    const tree = createFieldTree(fields.map((field) => field.split('.')))
    assert.equal(pickFields(RECORD, tree), expected)
  })
}
