import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InvalidField } from '../contract.ts'
import { checkInput } from './check-input.ts'
import { object, oneOrMore, text } from './schemas/parts.ts'

const SCHEMA = object({
  to: oneOrMore(object({ address: text(10) }, ['address']), { maxItems: 3 }),
  headers: { type: 'object', maxProperties: 2, additionalProperties: text(10) }
})

function problemsOf(value: unknown): InvalidField[] {
  const problems: InvalidField[] = []
  checkInput(SCHEMA, value, problems)
  return problems
}

test('all that is wrong is told', () => {
  const keys = problemsOf({ to: [1, { address: 'x'.repeat(11) }], a: 1, b: 2 }).map(
    ({ key }) => key
  )
  assert.deepEqual(keys.toSorted(), ['a', 'b', 'to.0', 'to.1.address'])
})

test('more items or fields than allowed are one error, however many there are', () => {
  const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, 1]))
  assert.deepEqual(problemsOf({ to: Array(1_000_000).fill(1) }), [
    { key: 'to', message: 'must NOT have more than 3 items' }
  ])
  const message = (most: number) => `must NOT have more than ${most} properties`
  assert.deepEqual(problemsOf(many), [{ key: '', message: message(22) }])
  assert.deepEqual(problemsOf({ headers: many }), [{ key: 'headers', message: message(2) }])
  assert.deepEqual(problemsOf({ to: [{ address: 'a' }, many] }), [
    { key: 'to.1', message: message(21) }
  ])
})
