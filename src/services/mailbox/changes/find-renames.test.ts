import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leastMs } from '../../../../test/support/least-ms.ts'
import { type AddedMailbox, findRenames, type GoneMailbox } from './find-renames.ts'

const gone = (path: string, uidValidity: string, uidNext = 5, messages = 4): GoneMailbox => ({
  ...{ path, uidValidity, uidNext, messages }
})
const added = (path: string, uidValidity?: string, uidNext = 5, messages = 4): AddedMailbox => ({
  path,
  delimiter: '/',
  status: uidValidity === undefined ? undefined : { uidValidity, uidNext, messages }
})
const find = (
  before: readonly GoneMailbox[],
  now: readonly AddedMailbox[],
  told: readonly [string, string][] = [],
  others: readonly string[] = []
) => [
  ...findRenames({
    gone: before,
    added: now,
    told: new Map(told),
    otherValidities: new Set(others)
  })
]

test('a mailbox with the UIDVALIDITY of one that is gone was renamed, also with more mail', () => {
  assert.deepEqual(find([gone('A', '7')], [added('B', '7', 9, 8)]), [['A', 'B']])
})

test('another UIDVALIDITY or an earlier UIDNEXT is another mailbox', () => {
  assert.deepEqual(find([gone('A', '7')], [added('B', '8')]), [])
  assert.deepEqual(find([gone('A', '7')], [added('B', '7', 2)]), [])
})

test('a UIDVALIDITY that several mailboxes have needs the same numbers too', () => {
  const before = [gone('A', '1', 5, 4), gone('B', '1', 9, 2)]
  assert.deepEqual(find(before, [added('C', '1', 9, 2)]), [['B', 'C']])
  assert.deepEqual(find([gone('A', '1')], [added('C', '1', 6, 5)], [], ['1']), [])
  assert.deepEqual(find([gone('A', '1')], [added('C', '1')], [], ['1']), [['A', 'C']])
  const empty = [gone('A', '1', 1, 0), gone('B', '1', 1, 0)]
  assert.deepEqual(find(empty, [added('C', '1', 1, 0)]), [])
})

test('a rename that the server tells is used, for mailboxes below too, unless the UIDVALIDITY differs', () => {
  const before = [gone('A', '1'), gone('A/x', '1')]
  assert.deepEqual(find(before, [added('B'), added('B/x')], [['A', 'B']]), [
    ['A', 'B'],
    ['A/x', 'B/x']
  ])
  assert.deepEqual(find([gone('A', '1')], [added('B', '2')], [['A', 'B']]), [])
})

test('thousands of mailboxes that were renamed together are found in a moment', () => {
  const paths = Array.from({ length: 5000 }, (_, number) => `x${number}`)
  const validities = { own: (number: number) => String(number + 1), shared: () => '1' }
  for (const validityOf of Object.values(validities)) {
    const before = paths.map((path, at) => gone(`A/${path}`, validityOf(at), at + 2, at))
    const now = paths.map((path, at) => added(`B/${path}`, validityOf(at), at + 2, at))
    const findAll = () => assert.equal(find(before, now).length, paths.length)
    assert.ok(leastMs(findAll, 1000) < 1000, 'not each with each other')
  }
})
