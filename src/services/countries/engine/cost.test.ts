import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildSchema, Kind, type OperationDefinitionNode, parse } from 'graphql'
import { type ListSizes, measureOperation } from './cost.ts'

const schema = buildSchema(`
  type Query { one(code: ID): Thing, all(first: Int): [Thing!]! }
  type Thing { name: String, tags: [String], parts: [Thing!]!, friends: [Thing!]!, whole: Thing }
`)
const sizes: ListSizes = new Map([
  ['Query.all', { one: 100, each: 100, total: 100, shared: false }],
  ['Thing.parts', { one: 50, each: 4, total: 400, shared: false }],
  ['Thing.friends', { one: 50, each: 4, total: 400, shared: true }]
])

function check(text: string, cost: number, depth: number): void {
  const { definitions } = parse(text)
  const operation = definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION)
  const measured = measureOperation(operation as OperationDefinitionNode, {
    schema,
    sizes,
    fragment: (wanted) =>
      definitions
        .filter((one) => one.kind === Kind.FRAGMENT_DEFINITION)
        .find(({ name }) => name.value === wanted)
  })
  assert.deepEqual(measured, { cost, depth })
}

test('every field counts one', () => check('{ one { name whole { name } } }', 4, 3))
test('a list counts what is below it, as often as it is long', () =>
  check('{ all { name } }', 101, 2))
test('a list of plain values is one field', () => check('{ one { tags } }', 2, 2))
test('of one object a list may be the longest', () => check('{ one { parts { name } } }', 52, 3))
test('of many objects it is as long as on average', () =>
  check('{ all { parts { name } } }', 1 + 100 * (1 + 4), 3))
test('lists in lists multiply', () =>
  check('{ all { parts { parts { name } } } }', 1 + 100 * (1 + 4 * (1 + 4)), 4))
test('a written first makes a list short', () => check('{ all(first: 3) { name } }', 4, 2))
test('below a written first a list may be the longest of each', () =>
  check('{ all(first: 3) { parts { name } } }', 1 + 3 + 150, 3))
test('but not longer than all of them together', () =>
  check('{ all(first: 30) { parts { name } } }', 1 + 30 + 400, 3))
test('a short list costs no more than the whole one', () =>
  check('{ all(first: 99) { whole { parts { name } } } }', 1 + 100 * (1 + 1 + 4), 4))
test('objects of a list may all lead to the same one', () =>
  check('{ one { parts { whole { parts { name } } } } }', 1 + 1 + 50 + 50 + 50 * 50, 5))
test('and what is shared may be the same in every list', () =>
  check('{ all(first: 2) { friends { parts { name } } } }', 1 + 2 + 2 * (50 + 400), 4))
test('a long first does not make it longer', () => check('{ all(first: 999) { name } }', 101, 2))
test('a negative first does not make it cheap', () => check('{ all(first: -5) { name } }', 1, 2))
test('a first in a variable does not reduce the cost', () =>
  check('query ($n: Int) { all(first: $n) { name } }', 101, 2))
test('aliases count each', () => check('{ a: one { name } b: one { name } }', 4, 2))
test('fragments count where they are spread', () =>
  check('{ all { ...F } one { ...F } } fragment F on Thing { name }', 103, 2))
test('inline fragments count as what they hold', () =>
  check('{ one { ... on Thing { name } ... { name } } }', 3, 2))
test('a fragment of itself ends', () =>
  check('{ one { ...F } } fragment F on Thing { name whole { ...F } }', 3, 2))
test('an unknown fragment costs nothing', () => check('{ one { ...Nope } }', 1, 1))
test('__typename counts', () => check('{ __typename one { __typename } }', 3, 2))
test('introspection counts but is not deep', () =>
  check('{ __schema { types { name fields { name } } } }', 1 + 1 + 50 * (1 + 1 + 3), 0))
test('unknown fields cost nothing; another rule rejects them', () =>
  check('{ nope { nope } }', 0, 0))

test('doubling fragments are measured quickly', () => {
  const parts = Array.from({ length: 60 }, (_, i) => {
    const inner = i === 59 ? 'name' : `whole { ...F${i + 1} ...F${i + 1} }`
    return `fragment F${i} on Thing { ${inner} }`
  })
  check(`{ one { ...F0 } } ${parts.join(' ')}`, 1 + (2 ** 60 - 1), 61)
})
