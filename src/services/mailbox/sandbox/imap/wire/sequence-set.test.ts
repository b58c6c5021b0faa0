import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  formatNumbers,
  formatOrdered,
  isWithin,
  parseSequenceSet,
  selectNumbers
} from './sequence-set.ts'

function select(text: string, numbers: readonly number[]): number[] {
  const set = parseSequenceSet(text)
  assert.ok(set, text)
  return selectNumbers(set, numbers)
}

test('sets select numbers; * is the largest one', () => {
  assert.deepEqual(select('1:3,7', [2, 3, 5, 7, 9]), [2, 3, 7])
  assert.deepEqual(select('4:2', [2, 3, 5]), [2, 3])
  assert.deepEqual(select('*', [2, 9]), [9])
  assert.deepEqual(select('20:*', [2, 9]), [9])
  assert.deepEqual(select('*:20', [2, 9]), [9])
  assert.deepEqual(select('3:*', [2, 5, 9]), [5, 9])
  assert.deepEqual(select('1,20:*', [1, 2, 9]), [1, 9])
  assert.deepEqual(select('1:*', []), [])
  assert.deepEqual(select('1:4294967295', [1, 2]), [1, 2])
})

test('other texts are no sets', () => {
  for (const text of ['', '0', '1:', ':1', '1,,2', 'a', '1:2:3', '4294967296', '-1', '1 2', '**']) {
    assert.equal(parseSequenceSet(text), undefined, text)
  }
})

test('a set of sequence numbers must not exceed the number of messages', () => {
  const within = (text: string, count: number) =>
    isWithin(parseSequenceSet(text) ?? assert.fail(), count)
  assert.equal(within('1:3', 3), true)
  assert.equal(within('4', 3), false)
  assert.equal(within('2:4', 3), false)
  assert.equal(within('*', 3), true)
  assert.equal(within('3:*', 3), true)
  assert.equal(within('4:*', 3), false)
  assert.equal(within('1', 0), false)
})

test('numbers are written as short ranges', () => {
  assert.equal(formatNumbers([5, 1, 2, 3, 9]), '1:3,5,9')
  assert.equal(formatOrdered([5, 1, 2, 3, 9]), '5,1:3,9')
})
