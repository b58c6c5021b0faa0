import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normaliseName, parentsOf, rangeBelow } from './mailbox-names.ts'

test('the first level is INBOX in any case, and no other name is changed', () => {
  assert.equal(normaliseName('inbox'), 'INBOX')
  assert.equal(normaliseName('InBox/sub/inbox'), 'INBOX/sub/inbox')
  assert.equal(normaliseName('Inboxes'), 'Inboxes')
  assert.equal(normaliseName('a/inbox'), 'a/inbox')
  assert.equal(normaliseName(''), '')
})

test('parents are listed from the top', () => {
  assert.deepEqual(parentsOf('a/b/c'), ['a', 'a/b'])
  assert.deepEqual(parentsOf('a'), [])
})

test('the range below a name contains its children and no siblings', () => {
  const [from, before] = rangeBelow('a')
  const inRange = (name: string) => name >= from && name < before
  assert.deepEqual(['a/', 'a/b', 'a/\u{10ffff}'].map(inRange), [true, true, true])
  assert.deepEqual(['a', 'a-b', 'a.b', 'a0', 'ab', 'b'].map(inRange), Array(6).fill(false))
})
