import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fullGroupsOf, groupsOf, placeholders } from './groups.ts'

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at + 1)

test('placeholders are joined by commas', () => {
  assert.equal(placeholders(3), '?, ?, ?')
  assert.equal(placeholders(2, '(?, ?)'), '(?, ?), (?, ?)')
})

test('rows keep their order, in groups as large as the sizes allow', () => {
  const groups = groupsOf(numbers(23), [10, 5, 1])
  assert.deepEqual(
    groups.map(({ length }) => length),
    [10, 10, 1, 1, 1]
  )
  assert.deepEqual(groups.flat(), numbers(23))
  assert.deepEqual(groupsOf(numbers(5), [10, 5, 1]), [numbers(5)])
  assert.deepEqual(groupsOf(numbers(2), [1]), [[1], [2]])
  assert.deepEqual(groupsOf([], [10, 1]), [])
})

test('the last group is padded with its first value', () => {
  assert.deepEqual(fullGroupsOf(numbers(5), 3), [
    [1, 2, 3],
    [4, 5, 4]
  ])
  assert.deepEqual(fullGroupsOf(numbers(3), 3), [numbers(3)])
  assert.deepEqual(fullGroupsOf([0], 2), [[0, 0]])
  assert.deepEqual(fullGroupsOf([], 3), [])
})
