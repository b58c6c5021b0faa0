import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom } from '../../../../test/support/random.ts'
import {
  compareAll,
  compareChanged,
  compareUids,
  flagChangesOf,
  type MailboxChanges
} from './diff.ts'
import { createMessageIndex, type MessageIndex } from './message-index.ts'
import { ALL_UIDS, NO_UIDS, rangesOf } from './uid-ranges.ts'

type Model = ReadonlyMap<number, readonly string[]>

function namesOf({ added, deleted, updated }: MailboxChanges) {
  return { added, deleted, updated: updated.map(({ uid }) => uid) }
}

function expectedChanges(before: Model, after: Model) {
  const isUpdated = ([uid, flags]: readonly [number, readonly string[]]) =>
    before.has(uid) && before.get(uid)?.join() !== flags.join()
  return {
    added: [...after.keys()].filter((uid) => !before.has(uid)),
    deleted: [...before.keys()].filter((uid) => !after.has(uid)),
    updated: [...after].filter(isUpdated).map(([uid]) => uid)
  }
}

/** Two states of a mailbox, in the order of their UIDs. */
function randomStates(seed: number): { before: Model; after: Model } {
  const random = createRandom(seed)
  const states = { before: new Map<number, string[]>(), after: new Map<number, string[]>() }
  for (let uid = 1; uid < 500; uid++) {
    const flags = random.pick([[], ['\\Seen'], ['\\Seen', 'a']])
    if (random.below(4) > 0) states.before.set(uid, flags)
    if (random.below(4) > 0) {
      states.after.set(uid, random.below(5) === 0 ? ['\\Flagged'] : flags)
    }
  }
  return states
}

function assertApplied(index: MessageIndex, found: MailboxChanges, after: Model) {
  for (const uid of found.deleted) index.delete(uid)
  for (const { uid, after: flags } of found.updated) index.set(uid, flags.flags)
  for (const uid of found.added) index.set(uid, after.get(uid) ?? [])
  assert.deepEqual(
    Array.from(index.entries(), ([uid, { flags }]) => [uid, flags]),
    [...after]
  )
}

test('a list of all messages gives all changes, which lead to its state', async () => {
  for (let seed = 1; seed <= 20; seed++) {
    const { before, after } = randomStates(seed)
    const index = createMessageIndex(before)
    const found = await compareAll(index, createMessageIndex(after))
    assert.deepEqual(namesOf(found), expectedChanges(before, after))
    assertApplied(index, found, after)
  }
})

test('changed messages and removed UIDs give the same changes', async () => {
  for (let seed = 1; seed <= 20; seed++) {
    const { before, after } = randomStates(seed)
    const expected = expectedChanges(before, after)
    const changed = [...after].filter(
      ([uid]) => uid % 7 === 0 || expected.added.includes(uid) || expected.updated.includes(uid)
    )
    // A server may tell UIDs that the index never had.
    const vanished = rangesOf([...expected.deleted, 600, 601])
    const index = createMessageIndex(before)
    const found = await compareChanged(index, createMessageIndex(changed), vanished)
    assert.deepEqual(namesOf(found), expected)
    assertApplied(index, found, after)
  }
})

test('UIDs alone give messages that came and went', async () => {
  for (let seed = 1; seed <= 20; seed++) {
    const { before, after } = randomStates(seed)
    const index = createMessageIndex(before)
    const found = namesOf(await compareUids(index, rangesOf(after.keys())))
    assert.deepEqual(found, { ...expectedChanges(before, after), updated: [] })
  }
})

test('all UIDs that can be removed are removed without a walk through them', async () => {
  const index = createMessageIndex([
    [5, []],
    [4_000_000_000, []]
  ])
  const kept = createMessageIndex([[5, ['\\Seen']]])
  assert.deepEqual(namesOf(await compareChanged(index, kept, ALL_UIDS)), {
    added: [],
    deleted: [4_000_000_000],
    updated: [5]
  })
  const none = namesOf(await compareUids(index, NO_UIDS))
  assert.deepEqual(none, { added: [], deleted: [5, 4_000_000_000], updated: [] })
})

test('changes of flags and labels are told as clients of EmailEngine know them', () => {
  const before = { flags: ['\\Seen', 'a'], labels: ['\\Inbox'] }
  assert.deepEqual(flagChangesOf({ uid: 1, before, after: { flags: ['\\Flagged', '\\Seen'] } }), {
    flags: { added: ['\\Flagged'], deleted: ['a'], value: ['\\Flagged', '\\Seen'] }
  })
  const after = { flags: ['\\Seen', 'a'], labels: ['\\Inbox', 'Work'] }
  assert.deepEqual(flagChangesOf({ uid: 1, before, after }), {
    labels: { added: ['Work'], value: ['\\Inbox', 'Work'] }
  })
})

test('labels that are told for the first time are no change', async () => {
  const index = createMessageIndex([[1, ['\\Seen']]])
  const present = createMessageIndex()
  present.set(1, ['\\Seen'], ['Work'])
  assert.deepEqual(namesOf(await compareAll(index, present)).updated, [])
  assert.deepEqual(namesOf(await compareAll(present, index)).updated, [])
})
