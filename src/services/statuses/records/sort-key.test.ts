import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyAfter, sortKeyOf } from './sort-key.ts'

test('ids that contain their time have its milliseconds and their lower bits', () => {
  const created = '2020-03-03T18:07:10.000Z'
  const lower = 1234903157580296192n & ((1n << 22n) - 1n)
  const expected = `${Date.parse('2020-03-03T18:07:10.815Z')}${String(lower % 1_000_000n).padStart(6, '0')}`
  assert.equal(sortKeyOf('1234903157580296192', created, 'x_archive'), expected)
  const time = Date.parse('2023-08-12T16:10:37.123Z')
  const id = String((BigInt(time) << 16n) + 77n)
  assert.equal(sortKeyOf(id, '2023-08-12T16:10:37.000Z', 'mastodon'), `${time}000077`)
})

test('other posts of one second have the order of their ids', () => {
  const created = '2006-03-21T20:50:14.000Z'
  const keys = ['20', '29', '1000', '999999999'].map((id) => sortKeyOf(id, created, 'x_archive'))
  assert.deepEqual(keys, keys.toSorted())
  assert.equal(keys[0], '1142974214000000020')
  assert.equal(sortKeyOf('5', '1970-01-01T00:00:01.000Z', 'x_archive'), '0000000001000000005')
})

test('posts of all sources are in the order of time, and no key has another length', () => {
  const x = sortKeyOf('1234903157580296192', '2020-03-03T18:07:10.000Z', 'x_archive')
  const later = sortKeyOf('7', '2020-03-03T18:07:12.000Z', 'mastodon')
  const earlier = sortKeyOf('9007199254740993', '2020-03-03T18:07:09.000Z', 'sample')
  assert.ok(earlier < x && x < later)
  assert.equal(keyAfter('0999999999999999999'), '1000000000000000000')
})
