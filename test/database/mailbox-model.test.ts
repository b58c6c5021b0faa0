/**
 * Random operations against a model in memory. Followers, who learn of changes only by
 * `changesSince`, at random times, must see the same messages.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FlagChange } from '../../src/services/mailbox/sandbox/mail-store.ts'
import { EFFORT } from '../support/effort.ts'
import { ENGINES } from '../support/engines.ts'
import { createRandom, type Random } from '../support/random.ts'
import { createModel, type MailModel } from './mailbox-model.ts'
import {
  addAccount,
  contentWith,
  findDisagreements,
  type MailTables,
  mailboxId,
  openMail
} from './mailbox-tables.ts'

/** Steps take longer on PostgreSQL, and both engines run the same statements. */
const SEEDS = { sqlite: 2 * EFFORT, postgres: EFFORT }
const STEPS = 150
const MAX_MESSAGES = 12
const FIRST_NAMES = ['INBOX', 'Drafts', 'Sent', 'Junk', 'Trash', 'Archive']
const NAMES = ['INBOX', 'Sent', 'Trash', 'a', 'a/b', 'a/b/c', 'd'] as const
const FLAGS = ['\\Seen', '\\Deleted', '\\Flagged', '$Work', 'other'] as const

interface Follower {
  modseq: number
  flags: Map<number, string>
}

function pickSome<T>(random: Random, items: readonly T[]): T[] {
  return items.filter(() => random.below(2) === 0)
}

/** One operation on both; returns its name. */
async function step(mail: MailTables, model: MailModel, random: Random): Promise<string> {
  const { store } = mail
  const name = () => random.pick(NAMES)
  const existing = () => random.pick([...model.mailboxes.keys()] as [string, ...string[]])
  const uidsOf = (mailbox: string) => {
    const { uidNext = 1, messages } = model.mailboxes.get(mailbox) ?? {}
    const some = pickSome(random, [...(messages?.keys() ?? [])])
    return random.below(4) === 0 ? [...some, uidNext, 99_999] : some
  }
  const subject = `subject ${random.below(30)}`
  const flags = pickSome(random, FLAGS)
  const kind = random.pick([
    ...(['deliver', 'deliver', 'append', 'flags', 'flags', 'copy', 'move', 'expunge'] as const),
    ...(['create', 'rename', 'remove', 'search'] as const)
  ])
  if (kind === 'deliver') {
    await store.deliver(['ada'], contentWith({ subject }))
    model.add('INBOX', subject, [])
  } else if (kind === 'append') {
    const to = existing()
    const options = { flags, internalDate: undefined }
    const added = await store.append(
      await mailboxId(mail, 'ada', to),
      contentWith({ subject }),
      options
    )
    assert.equal(added?.uid, model.add(to, subject, flags))
  } else if (kind === 'flags') {
    const from = existing()
    const uids = uidsOf(from)
    const change = random.pick<FlagChange>(['add', 'remove', 'replace'])
    await store.storeFlags(await mailboxId(mail, 'ada', from), uids, change, flags)
    model.setFlags(from, uids, change, flags)
  } else if (kind === 'copy' || kind === 'move') {
    const [from, to] = [existing(), existing()]
    const uids = uidsOf(from)
    const ids = [await mailboxId(mail, 'ada', from), await mailboxId(mail, 'ada', to)] as const
    const result = await store[kind](ids[0], uids, ids[1])
    assert.deepEqual(result?.to, model.transfer(from, uids, to, kind === 'copy'))
  } else if (kind === 'expunge') {
    const from = existing()
    const uids = random.below(2) === 0 ? undefined : uidsOf(from)
    const removed = await store.expunge(await mailboxId(mail, 'ada', from), uids)
    assert.deepEqual(removed, model.expunge(from, uids))
  } else if (kind === 'create') {
    const to = name()
    assert.equal((await store.createMailbox('ada', to)) !== undefined, model.create(to))
  } else if (kind === 'rename') {
    const [from, to] = [name(), name()]
    assert.equal(await store.renameMailbox('ada', from, to), model.rename(from, to))
  } else if (kind === 'remove') {
    const from = name()
    assert.equal(await store.removeMailbox('ada', from), model.remove(from))
  } else {
    const part = `subject ${random.below(3)}`
    const filter = { account: 'ada', subject: part }
    assert.equal(await store.removeMessages(filter), model.removeBySubject(part))
  }
  return kind
}

/** Compares all mailboxes with the model; some followers catch up. */
async function compare(
  { store }: MailTables,
  model: MailModel,
  followers: Map<number, Follower>,
  random: Random
): Promise<void> {
  const listed = await store.listMailboxes('ada')
  assert.deepEqual(
    listed.map(({ name }) => name),
    [...model.mailboxes.keys()].sort()
  )
  for (const { id, name, uidNext } of listed) {
    const expected = model.mailboxes.get(name)
    const messages = await store.readMessages(id)
    assert.equal(uidNext, expected?.uidNext, `UIDNEXT of ${name}`)
    assert.deepEqual(
      messages.map(({ uid, flags }) => [uid, [...flags].sort()]),
      [...(expected?.messages ?? [])].map(([uid, { flags }]) => [uid, flags]),
      name
    )
    if (random.below(3) !== 0) continue
    const follower = followers.get(id) ?? { modseq: 0, flags: new Map() }
    followers.set(id, follower)
    const { changed, expunged, mailbox } = await store.changesSince(id, follower.modseq)
    assert.ok((mailbox?.modseq ?? 0) >= follower.modseq, 'modseq went back')
    for (const { uid, flags } of changed) follower.flags.set(uid, flags.join(' '))
    for (const uid of expunged) follower.flags.delete(uid)
    follower.modseq = mailbox?.modseq ?? 0
    assert.deepEqual(
      new Map(messages.map(({ uid, flags }) => [uid, flags.join(' ')])),
      new Map([...follower.flags].sort(([a], [b]) => a - b)),
      `what a follower of ${name} knows`
    )
  }
}

for (const engine of ENGINES) {
  test(`random operations do what the model does, on ${engine}`, async (t) => {
    const kinds = new Map<string, number>()
    for (let seed = 1; seed <= SEEDS[engine]; seed++) {
      await using mail = await openMail(engine, { messages: MAX_MESSAGES, bytes: 1e9 })
      const random = createRandom(seed)
      const model = createModel(FIRST_NAMES, MAX_MESSAGES)
      const followers = new Map<number, Follower>()
      await addAccount(mail, 'ada')
      for (let number = 0; number < STEPS; number++) {
        const kind = await step(mail, model, random)
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
        await compare(mail, model, followers, random)
      }
      assert.deepEqual(await mail.database.read(findDisagreements), [], `seed ${seed}`)
      const found = await mail.store.findMessages({ account: 'ada' }, 100)
      const expected = [...model.mailboxes].flatMap(([name, { messages }]) =>
        [...messages.values()].map((message) => ({ name, ...message }))
      )
      assert.deepEqual(
        found.map(({ contents, mailboxName }) => [mailboxName, contents.subject]),
        expected.sort((a, b) => b.number - a.number).map(({ name, subject }) => [name, subject])
      )
    }
    t.diagnostic([...kinds].map(([kind, count]) => `${kind} ${count}`).join(', '))
  })
}
