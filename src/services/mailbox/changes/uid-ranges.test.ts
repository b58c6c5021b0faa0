import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom } from '../../../../test/support/random.ts'
import {
  countUids,
  hasUid,
  MAX_UID,
  NO_UIDS,
  parseUidRanges,
  rangesOf,
  uidsOf
} from './uid-ranges.ts'

function parse(text: string): number[] | undefined {
  const ranges = parseUidRanges(Buffer.from(text))
  return ranges && [...ranges]
}

test('sets of UIDs are sorted and merged, in any order and with overlaps', () => {
  assert.deepEqual(parse('1:3,7'), [1, 3, 7, 7])
  assert.deepEqual(parse('1 2 3 7'), [1, 3, 7, 7])
  assert.deepEqual(parse('9,7:8,3:1,2'), [1, 3, 7, 9])
  assert.deepEqual(parse('5:100,7,6:9,101'), [5, 101])
  assert.deepEqual(parse('2,1:4294967295'), [1, MAX_UID])
  assert.deepEqual(parse('4294967295'), [MAX_UID, MAX_UID])
  assert.deepEqual(parse(''), [])
})

test('anything else is not a set', () => {
  for (const text of [
    '*',
    '1:*',
    '0',
    '1:0',
    '4294967296',
    '1:',
    ':1',
    '1:2:3',
    '1,,2',
    'a',
    '1;2'
  ]) {
    assert.equal(parse(text), undefined, text)
  }
  assert.equal(parse('1: 2'), undefined)
})

test('ranges of random UIDs have exactly these', () => {
  for (let seed = 1; seed <= 50; seed++) {
    const random = createRandom(seed)
    const uids = Array.from({ length: random.below(300) }, () => 1 + random.below(400))
    const ranges = rangesOf(uids)
    const expected = [...new Set(uids)].sort((left, right) => left - right)
    assert.deepEqual([...uidsOf(ranges)], expected)
    assert.equal(countUids(ranges), expected.length)
    assert.deepEqual(parse(uids.join(',')) ?? [], uids.length === 0 ? [] : [...ranges])
    for (let uid = 1; uid <= 400; uid++) assert.equal(hasUid(ranges, uid), uids.includes(uid))
  }
})

test('the largest range is not expanded', () => {
  const ranges = parseUidRanges(Buffer.from('1:4294967295'))
  assert.ok(ranges)
  assert.equal(countUids(ranges), MAX_UID)
  assert.ok(hasUid(ranges, 12_345))
  assert.ok(!hasUid(NO_UIDS, 1))
})

test('more ranges than a mailbox can have are not a set; repeated ones are few', () => {
  const many = Array.from({ length: 2_200_000 }, (_, at) => 2 * at + 1)
  assert.equal(parse(many.join(',')), undefined)
  assert.deepEqual(parse('5,1,'.repeat(1_500_000).slice(0, -1)), [1, 1, 5, 5])
})
