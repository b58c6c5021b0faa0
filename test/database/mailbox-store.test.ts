import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { query } from '../../src/kernel/database/transaction.ts'
import {
  CAUGHT_ACCOUNT,
  MAX_MAILBOXES,
  MailboxLimitReached
} from '../../src/services/mailbox/sandbox/mail-store.ts'
import type { MessageFacts } from '../../src/services/mailbox/sandbox/message/facts.ts'
import { KEPT_RECORDS } from '../../src/services/mailbox/store/expunge.ts'
import { ENGINES } from '../support/engines.ts'
import {
  addAccount,
  contentWith,
  countRows,
  findDisagreements,
  LIMITS,
  type MailTables,
  mailboxId,
  openMail,
  START
} from './mailbox-tables.ts'

async function subjectsOf({ store }: MailTables, account: string): Promise<string[]> {
  const found = await store.findMessages({ account }, 1_000)
  return found.map(({ contents }) => contents.subject)
}

/** The numbers from 1, as rows with the column `value`. */
function numbersTo(last: number): string {
  return `with recursive numbers (value) as (
    select 1 union all select value + 1 from numbers where value < ${last}
  ) select value from numbers`
}

function pick({ root, envelope }: MessageFacts): Pick<MessageFacts, 'root' | 'envelope'> {
  return { root, envelope }
}

async function deliverTo(mail: MailTables, account: string, subjects: readonly string[]) {
  for (const subject of subjects) await mail.store.deliver([account], contentWith({ subject }))
}

for (const engine of ENGINES) {
  describe(`Store of the sandbox, on ${engine}`, () => {
    test('an account has its mailboxes, and nothing is left after its removal', async () => {
      await using mail = await openMail(engine)
      const { store, database } = mail
      assert.equal(await addAccount(mail, 'ada'), true)
      assert.equal(await addAccount(mail, 'bob'), true)
      assert.equal(await addAccount(mail, 'ada'), false)
      const taken = { id: 'new', address: 'ADA@example.com', name: '', createdAt: 0, password: '' }
      assert.equal(await store.addAccount(taken), false)
      const ada = { id: 'ada', address: 'ada@example.com', name: 'ada', createdAt: START }
      assert.deepEqual(await store.findAccount('ada'), ada)
      assert.deepEqual(await store.findAccount('Ada@Example.com'), ada)
      assert.equal(await store.findAccount('Ada'), undefined)
      assert.equal(await store.findAccount('a\0'), undefined)
      assert.equal(await store.readPassword('ada'), 'of ada')
      assert.equal(await store.readPassword('new'), undefined)
      assert.equal(await store.countAccounts(), 2)
      assert.deepEqual(
        (await store.listAccounts(5, 'ada')).map(({ id }) => id),
        ['bob']
      )
      const mailboxes = await store.listMailboxes('ada')
      assert.deepEqual(
        mailboxes.map(({ name, specialUse, isSubscribed }) => [name, specialUse, isSubscribed]),
        [
          ['Archive', '\\Archive', true],
          ['Drafts', '\\Drafts', true],
          ['INBOX', undefined, true],
          ['Junk', '\\Junk', true],
          ['Sent', '\\Sent', true],
          ['Trash', '\\Trash', true]
        ]
      )
      await store.deliver(['ada', 'bob'], contentWith({ subject: 'both' }))
      await deliverTo(mail, 'ada', ['one', 'two'])
      const [, { uid = 0 } = {}] = await store.findMessages({ account: 'ada' }, 2)
      const inbox = await mailboxId(mail, 'ada')
      await store.storeFlags(inbox, [uid], 'add', ['\\Deleted'])
      await store.expunge(inbox)
      assert.equal(await store.removeAccount('ada'), true)
      assert.equal(await store.removeAccount('ada'), false)
      assert.deepEqual(await subjectsOf(mail, 'bob'), ['both'])
      assert.deepEqual(await database.read(findDisagreements), [])
      assert.equal(await store.removeAccount('bob'), true)
      for (const table of ['accounts', 'mailboxes', 'subscriptions', 'contents', 'messages']) {
        assert.equal(await database.read(() => countRows(`sandbox_${table}`)), 0, table)
      }
      assert.equal(await database.read(() => countRows('sandbox_expunged')), 0)
      const refs = await database.read(() => query<{ refs: number }>('select refs from files'))
      assert.deepEqual(new Set(refs.map((row) => row.refs)), new Set([0]))
    })

    test('a delivery is one transaction of six statements, also to many accounts', async () => {
      await using mail = await openMail(engine)
      const accounts = Array.from({ length: 10 }, (_, index) => `user${index}`)
      for (const account of accounts) await addAccount(mail, account)
      mail.takeStatements()
      await mail.store.deliver(['user1'], contentWith({ subject: 'one' }))
      assert.equal(mail.takeStatements().length, 6)
      await mail.store.deliver([...accounts, 'user1'], contentWith({ subject: 'many' }))
      // Ten rows are inserted as eight and two.
      assert.equal(mail.takeStatements().length, 7)
      for (const account of accounts) {
        const inbox = await mail.store.readMessages(await mailboxId(mail, account))
        assert.equal(inbox.length, account === 'user1' ? 2 : 1)
      }
      assert.equal(await mail.database.read(() => countRows('sandbox_contents')), 2)
      assert.deepEqual(await mail.database.read(findDisagreements), [])
    })

    test('the oldest messages are removed with the delivery that exceeds a limit', async () => {
      await using mail = await openMail(engine, { messages: 4, bytes: 10_000 })
      const { store } = mail
      await addAccount(mail, 'ada')
      const inbox = await mailboxId(mail, 'ada')
      await deliverTo(mail, 'ada', ['a', 'b', 'c', 'd'])
      await store.move(inbox, [1], await mailboxId(mail, 'ada', 'Trash'))
      const before = await store.findMailbox('ada', 'INBOX')
      mail.takeStatements()
      await deliverTo(mail, 'ada', ['e'])
      assert.ok(mail.takeStatements().length <= 14)
      // The oldest is the one in Trash.
      assert.deepEqual(await subjectsOf(mail, 'ada'), ['e', 'd', 'c', 'b'])
      await deliverTo(mail, 'ada', ['f'])
      assert.deepEqual(await subjectsOf(mail, 'ada'), ['f', 'e', 'd', 'c'])
      const changes = await store.changesSince(inbox, before?.modseq ?? 0)
      assert.deepEqual(changes.expunged, [2])
      assert.deepEqual(
        changes.changed.map(({ uid }) => uid),
        [5, 6]
      )
      await store.deliver(['ada'], contentWith({ subject: 'g', size: 8_000 }))
      assert.deepEqual(await subjectsOf(mail, 'ada'), ['g', 'f', 'e'])
      await store.deliver(['ada'], contentWith({ subject: 'large', size: 20_000 }))
      assert.deepEqual(await subjectsOf(mail, 'ada'), ['large'])
      await deliverTo(mail, 'ada', ['h', 'i'])
      assert.deepEqual(await subjectsOf(mail, 'ada'), ['i', 'h'])
      const sent = await mailboxId(mail, 'ada', 'Sent')
      await store.copy(inbox, [9, 10], sent)
      const copied = await store.copy(inbox, [9, 10], sent)
      assert.deepEqual(copied?.to, [3, 4])
      assert.deepEqual(await store.readMessages(inbox), [])
      assert.deepEqual(await mail.database.read(findDisagreements), [])
    })

    test('mail for an account that was removed is caught, and so is that for the caught one', async () => {
      await using mail = await openMail(engine)
      await addAccount(mail, 'ada')
      await mail.store.deliver(['gone', 'ada'], contentWith({ subject: 'to both' }))
      assert.deepEqual(await subjectsOf(mail, 'ada'), ['to both'])
      assert.deepEqual(await subjectsOf(mail, CAUGHT_ACCOUNT.id), ['to both'])
      assert.equal((await mail.store.caughtAccount()).address, CAUGHT_ACCOUNT.address)
      assert.equal(await mail.store.removeAccount(CAUGHT_ACCOUNT.id), true)
      await mail.store.deliver([CAUGHT_ACCOUNT.id], contentWith({ subject: 'again' }))
      assert.deepEqual(await subjectsOf(mail, CAUGHT_ACCOUNT.id), ['again'])
      assert.deepEqual(await mail.database.read(findDisagreements), [])
    })

    test('a mailbox of the same name has another UIDVALIDITY, also in the same second', async () => {
      await using mail = await openMail(engine)
      const { store } = mail
      await addAccount(mail, 'ada')
      const seen = new Set<number>()
      let last = 0
      for (let round = 0; round < 3; round++) {
        const mailbox = await store.createMailbox('ada', 'Work/Plans')
        assert.ok(mailbox !== undefined && mailbox.uidValidity > last)
        last = mailbox.uidValidity
        seen.add(mailbox.id)
        assert.equal(await store.createMailbox('ada', 'Work'), undefined)
        assert.equal(await store.removeMailbox('ada', 'Work'), 'hasChildren')
        await store.append(mailbox.id, contentWith({ subject: 'a' }), {
          flags: [],
          internalDate: 5
        })
        assert.equal(await store.removeMailbox('ada', 'Work/Plans'), 'removed')
        assert.equal(await store.removeMailbox('ada', 'Work'), 'removed')
        assert.equal(await store.removeMailbox('ada', 'Work'), 'missing')
        assert.deepEqual(await store.readMessages(mailbox.id), [])
        assert.equal((await store.changesSince(mailbox.id, 0)).mailbox, undefined)
        const late = contentWith({ subject: 'late' })
        const options = { flags: [], internalDate: undefined }
        assert.equal(await store.append(mailbox.id, late, options), undefined)
      }
      assert.equal(seen.size, 3)
      mail.clock.ms = 3_600_000
      const later = await store.createMailbox('ada', 'Later')
      assert.equal(later?.uidValidity, Math.floor(START / 1000) + 3_600)
      assert.equal(await store.removeMailbox('ada', 'inbox'), 'missing')
      assert.equal(await store.createMailbox('nobody', 'a'), undefined)
      assert.deepEqual(await mail.database.read(findDisagreements), [])
    })

    test('mailboxes are renamed with those below; INBOX stays and gives its messages away', async () => {
      await using mail = await openMail(engine)
      const { store } = mail
      await addAccount(mail, 'ada')
      const names = async () =>
        (await store.listMailboxes('ada'))
          .filter(({ specialUse }) => specialUse === undefined)
          .map(({ name, hasChildren }) => (hasChildren ? `${name}+` : name))
      for (const name of ['a/x', 'a/x/y', 'ab', 'inbox/sub', 'a0']) {
        await store.createMailbox('ada', name)
      }
      assert.deepEqual(await names(), ['INBOX+', 'INBOX/sub', 'a+', 'a/x+', 'a/x/y', 'a0', 'ab'])
      const moved = await mailboxId(mail, 'ada', 'a/x')
      assert.equal(await store.renameMailbox('ada', 'a', 'ab'), 'exists')
      assert.equal(await store.renameMailbox('ada', 'b', 'c'), 'missing')
      assert.equal(await store.renameMailbox('ada', 'a', 'ünder/z'), 'renamed')
      assert.deepEqual(await names(), [
        ...['INBOX+', 'INBOX/sub', 'a0', 'ab', 'ünder+', 'ünder/z+', 'ünder/z/x+', 'ünder/z/x/y']
      ])
      assert.equal(await mailboxId(mail, 'ada', 'ünder/z/x'), moved)
      assert.equal(await store.renameMailbox('ada', 'a0', 'a0/in/it'), 'renamed')
      assert.deepEqual((await names()).slice(2, 5), ['a0+', 'a0/in+', 'a0/in/it'])
      await deliverTo(mail, 'ada', ['one', 'two'])
      const inbox = await store.findMailbox('ada', 'INBOX')
      assert.equal(await store.renameMailbox('ada', 'INBOX', 'Old/In'), 'renamed')
      const old = await store.readMessages(await mailboxId(mail, 'ada', 'Old/In'))
      assert.deepEqual(
        old.map(({ uid }) => uid),
        [1, 2]
      )
      const { expunged, mailbox } = await store.changesSince(inbox?.id ?? 0, inbox?.modseq ?? 0)
      assert.deepEqual([expunged, mailbox?.uidNext], [[1, 2], 3])
      assert.deepEqual(await names().then((all) => all.slice(0, 4)), [
        ...['INBOX+', 'INBOX/sub', 'Old+', 'Old/In']
      ])
      assert.deepEqual(await mail.database.read(findDisagreements), [])
    })

    test('subscriptions do not depend on mailboxes; both are limited', async () => {
      await using mail = await openMail(engine)
      const { store, database } = mail
      await addAccount(mail, 'ada')
      await store.subscribe('ada', 'Nowhere', true)
      await store.subscribe('ada', 'Nowhere', true)
      await store.subscribe('ada', 'Sent', false)
      await store.subscribe('ada', 'a\0', true)
      await store.subscribe('nobody', 'a', true)
      assert.deepEqual(await store.listSubscriptions('ada'), [
        ...['Archive', 'Drafts', 'INBOX', 'Junk', 'Nowhere', 'Trash']
      ])
      const sent = (await store.listMailboxes('ada')).find(({ name }) => name === 'Sent')
      assert.equal(sent?.isSubscribed, false)
      await database.write(function* () {
        const others = `(${numbersTo(MAX_MAILBOXES - 1)}) n where n.value >= 6`
        yield* query(
          `insert into sandbox_subscriptions (account, name)
           select 'ada', 's' || n.value from ${others}`
        )
        yield* query(
          `insert into sandbox_mailboxes
           (id, account, name, uid_validity, uid_next, modseq, expunged_records, expunged_horizon)
           select n.value, 'ada', 'm' || n.value, 1, 1, 1, 0, 0 from ${others}`
        )
      })
      await assert.rejects(store.subscribe('ada', 'more', true), MailboxLimitReached)
      await assert.rejects(store.createMailbox('ada', 'more'), MailboxLimitReached)
      await assert.rejects(store.renameMailbox('ada', 'm7', 'more/m7'), MailboxLimitReached)
      assert.equal(await store.findMailbox('ada', 'more/m7'), undefined)
      assert.equal((await store.listSubscriptions('ada')).length, MAX_MAILBOXES)
    })

    test('flags are stored once each, and only changes get a new modseq', async () => {
      await using mail = await openMail(engine)
      const { store } = mail
      await addAccount(mail, 'ada')
      const inbox = await mailboxId(mail, 'ada')
      const options = { flags: ['\\seen', '$Label', '\\Recent', 'a b', '\\Seen'], internalDate: 9 }
      const appended = await store.append(inbox, contentWith({ subject: 'a' }), options)
      assert.deepEqual(appended, { uid: 1, uidValidity: inbox })
      await deliverTo(mail, 'ada', ['b', 'c'])
      const [first] = await store.readMessages(inbox)
      assert.deepEqual(first?.flags, ['\\Seen', '$Label'])
      assert.deepEqual([first?.internalDate, first?.savedAt], [9, START])
      const { modseq = 0 } = (await store.findMailbox('ada', 'INBOX')) ?? {}
      const seen = await store.storeFlags(inbox, [3, 1, 3, 99], 'add', ['\\Seen', '$LABEL'])
      assert.deepEqual(
        seen.stored.map(({ uid, flags, modseq }) => [uid, flags, modseq]),
        [
          [1, ['\\Seen', '$Label'], first?.modseq],
          [3, ['\\Seen', '$LABEL'], modseq + 1]
        ]
      )
      const same = await store.storeFlags(inbox, [3], 'replace', ['$LABEL', '\\Seen'])
      assert.equal(same.stored[0]?.modseq, modseq + 1)
      const guarded = await store.storeFlags(inbox, [1, 2, 3], 'remove', ['$label'], modseq)
      assert.deepEqual(guarded.modified, [3])
      assert.deepEqual(
        guarded.stored.map(({ uid, flags }) => [uid, flags]),
        [
          [1, ['\\Seen']],
          [2, []]
        ]
      )
      const [, { modseq: since } = { modseq: 0 }] = await store.readMessages(inbox)
      const exact = await store.storeFlags(inbox, [2], 'add', ['y'], since)
      assert.deepEqual(exact.stored[0]?.flags, ['y'])
      const late = await store.storeFlags(inbox, [2], 'add', ['z'], since)
      assert.deepEqual(late, { stored: [], modified: [2] })
      const many = Array.from({ length: 150 }, (_, index) => `k${index}`)
      const limited = await store.storeFlags(inbox, [2], 'replace', [...many, '\\Deleted'])
      assert.equal(limited.stored[0]?.flags.length, 101)
      const status = await store.status(inbox)
      assert.deepEqual(
        [status?.messages, status?.unseen, status?.deleted, status?.bytes, status?.uidNext],
        [3, 1, 1, 3_000, 4]
      )
      await store.storeFlags(inbox, [1, 3], 'add', ['\\Deleted'])
      assert.deepEqual(await store.expunge(inbox, [3, 4]), [3])
      assert.deepEqual(await store.expunge(inbox), [1, 2])
      assert.deepEqual(await store.expunge(inbox), [])
      const { expunged, changed } = await store.changesSince(inbox, modseq)
      assert.deepEqual([expunged, changed], [[1, 2, 3], []])
      assert.equal((await store.status(inbox))?.uidNext, 4)
    })

    test('copies share their content; moves keep what the message is', async () => {
      await using mail = await openMail(engine)
      const { store, database } = mail
      await addAccount(mail, 'ada')
      await addAccount(mail, 'bob')
      const [inbox, sent] = [await mailboxId(mail, 'ada'), await mailboxId(mail, 'ada', 'Sent')]
      await deliverTo(mail, 'ada', ['a', 'b', 'c'])
      await store.storeFlags(inbox, [2], 'add', ['\\Seen', 'x'])
      mail.clock.ms = 60_000
      const copied = await store.copy(inbox, [3, 2, 7], sent)
      assert.deepEqual(copied, { uidValidity: sent, from: [2, 3], to: [1, 2] })
      assert.deepEqual(await store.copy(inbox, [2], inbox), {
        ...{ uidValidity: inbox, from: [2], to: [4] }
      })
      const [original, copy] = [
        (await store.readMessages(inbox))[1],
        (await store.readMessages(sent))[0]
      ]
      assert.equal(copy?.content, original?.content)
      assert.deepEqual(copy?.flags, ['\\Seen', 'x'])
      assert.deepEqual(
        [copy?.internalDate, copy?.savedAt, original?.savedAt],
        [START, START + 60_000, START]
      )
      const before = await store.findMessage(inbox, 1)
      assert.deepEqual(await store.move(inbox, [1, 9], sent), {
        ...{ uidValidity: sent, from: [1], to: [3] }
      })
      const after = await store.findMessage(sent, 3)
      assert.equal(after?.number, before?.number)
      assert.equal(await store.findMessage(inbox, 1), undefined)
      assert.deepEqual((await store.move(inbox, [2], inbox))?.to, [5])
      assert.deepEqual(await store.copy(inbox, [99], sent), {
        ...{ uidValidity: sent, from: [], to: [] }
      })
      assert.equal(await store.copy(inbox, [3], 12), undefined)
      assert.equal(await store.move(12, [3], inbox), undefined)
      assert.equal(await store.copy(inbox, [3], await mailboxId(mail, 'bob')), undefined)
      assert.equal(await database.read(() => countRows('sandbox_contents')), 3)
      assert.deepEqual(await database.read(findDisagreements), [])
      assert.equal(await store.removeMailbox('ada', 'Sent'), 'removed')
      assert.equal(await database.read(() => countRows('sandbox_contents')), 2)
      assert.deepEqual(await database.read(findDisagreements), [])
    })

    test('records of removed messages are limited; a client from before them gets all UIDs', async () => {
      await using mail = await openMail(engine, { messages: 2 * KEPT_RECORDS, bytes: 1e9 })
      const { store, database } = mail
      await addAccount(mail, 'ada')
      const inbox = await mailboxId(mail, 'ada')
      await deliverTo(mail, 'ada', ['a', 'b', 'c'])
      const first = (await store.findMailbox('ada', 'INBOX'))?.modseq ?? 0
      // As if so many had been removed, one after the other.
      const last = 4 + KEPT_RECORDS + 998
      await database.write(function* () {
        yield* query(
          `insert into sandbox_expunged (mailbox, uid, modseq)
           select b.id, n.value, n.value + ? from sandbox_mailboxes b, (${numbersTo(last)}) n
           where b.id = ? and n.value >= 4`,
          ...[first, inbox]
        )
        yield* query(
          `update sandbox_mailboxes set uid_next = ?, modseq = ?, expunged_records = ?
           where id = ?`,
          ...[last + 1, first + last, KEPT_RECORDS + 999, inbox]
        )
      })
      const count = () => database.read(() => countRows('sandbox_expunged'))
      assert.equal((await store.changesSince(inbox, first)).expunged.length, KEPT_RECORDS + 999)
      await store.storeFlags(inbox, [2], 'add', ['\\Deleted'])
      await store.expunge(inbox)
      assert.equal(await count(), KEPT_RECORDS)
      // The oldest record that is left is of UID 1,004.
      const exact = await store.changesSince(inbox, first + 1_004)
      assert.equal(exact.expunged.length, KEPT_RECORDS - 1)
      const before = await store.changesSince(inbox, first + 1_002)
      assert.deepEqual(before.expunged.slice(0, 3), [2, 4, 5])
      assert.equal(before.expunged.length, last - 2)
      await store.storeFlags(inbox, [3], 'add', ['\\Deleted'])
      await store.expunge(inbox)
      assert.equal(await count(), KEPT_RECORDS + 1)
      assert.equal((await store.status(inbox))?.uidNext, last + 1)
    })

    test('messages are found by parts of their texts, newest first', async () => {
      await using mail = await openMail(engine)
      const { store } = mail
      await addAccount(mail, 'ada')
      await addAccount(mail, 'bob')
      const written = [
        { subject: 'Your CODE is 100%', to: 'new@shop.example', preview: 'Hello\0 there' },
        { subject: 'Straße nach Zürich', from: 'Q_A@shop.example' },
        { subject: 'third', envelopeTo: ['hidden@bcc.example'] }
      ]
      for (const one of written) await store.deliver(['ada'], contentWith(one))
      await store.deliver(['bob'], contentWith({ subject: 'for bob, your code' }))
      const find = async (filter: Parameters<typeof store.findMessages>[0]) => {
        const found = await store.findMessages(filter, 10)
        assert.equal(await store.countMessages(filter), found.length)
        return found.map(({ contents }) => contents.subject.slice(0, 8))
      }
      assert.deepEqual(await find({}), ['for bob,', 'third', 'Straße n', 'Your COD'])
      assert.deepEqual(await find({ account: 'ada', subject: 'your code' }), ['Your COD'])
      assert.deepEqual(await find({ subject: 'your code' }), ['for bob,', 'Your COD'])
      assert.deepEqual(await find({ query: 'STRASSE' }), ['Straße n'])
      assert.deepEqual(await find({ subject: 'zurich' }), ['Straße n'])
      assert.deepEqual(await find({ subject: '0%' }), ['Your COD'])
      assert.deepEqual(await find({ subject: '1_0' }), [])
      assert.deepEqual(await find({ from: 'q_a@' }), ['Straße n'])
      assert.deepEqual(await find({ to: 'HIDDEN@bcc.example' }), ['third'])
      assert.deepEqual(await find({ to: 'new@', subject: 'code' }), ['Your COD'])
      assert.deepEqual(await find({ query: 'hello' }), ['Your COD'])
      assert.deepEqual(await find({ query: 'new@shop' }), ['Your COD'])
      assert.deepEqual(await find({ query: '' }), await find({}))
      const all = await store.findMessages({}, 10)
      const [, third] = all
      assert.deepEqual(await find({ before: third?.number }), ['Straße n', 'Your COD'])
      assert.deepEqual(await find({ after: third?.number }), ['for bob,'])
      const paged = await store.findMessages({ subject: 'r' }, 2, 1)
      assert.deepEqual(
        paged.map(({ number }) => number),
        all.slice(1, 3).map(({ number }) => number)
      )
      assert.deepEqual(await store.findMessages({}, 5, 4), [])
      assert.deepEqual(await store.findMessages({}, 5, 40), [])
      assert.equal(all[0]?.mailboxName, 'INBOX')
      assert.equal(all[3]?.contents.preview, 'Hello\0 there')
      assert.deepEqual(all[1]?.contents.envelopeTo, ['hidden@bcc.example'])
      const contents = await store.readContents([...all.map(({ content }) => content), 'none'])
      assert.deepEqual(contents.get(all[2]?.content ?? ''), all[2]?.contents)
      assert.equal(contents.size, 4)
      const [{ facts } = assert.fail()] = written.map(contentWith)
      const { root, envelope } = all[3]?.contents ?? assert.fail()
      const stored: unknown = JSON.parse(JSON.stringify({ root, envelope }))
      assert.deepEqual(stored, JSON.parse(JSON.stringify(pick(facts))))
      assert.equal(await store.removeMessages({ account: 'ada', query: 'r' }), 3)
      assert.deepEqual(await find({}), ['for bob,'])
      assert.equal(await store.removeMessages({}), 1)
      assert.deepEqual(await mail.database.read(findDisagreements), [])
    })

    test('lists and removals go on behind many messages', async () => {
      await using mail = await openMail(engine, LIMITS)
      const { store, database } = mail
      await addAccount(mail, 'ada')
      await deliverTo(mail, 'ada', ['first', 'other'])
      const inbox = await mailboxId(mail, 'ada')
      await database.write(function* () {
        yield* query(
          `insert into sandbox_messages
           select m.number + n.value, m.mailbox, m.uid + n.value, m.account, m.content, m.size,
             m.internal_date, m.saved_at, m.flags, m.is_seen, m.is_deleted, m.modseq
           from sandbox_messages m, (${numbersTo(2_500)}) n where m.mailbox = ? and m.uid = 2`,
          inbox
        )
        yield* query("update sandbox_contents set refs = refs + 2500 where subject = 'other'")
        yield* query("update sandbox_counters set value = 2502 where name = 'messages'")
        yield* query('update sandbox_accounts set messages = 2502, bytes = 2502000')
        yield* query('update sandbox_mailboxes set uid_next = 2503 where id = ?', inbox)
      })
      const found = await store.findMessages({ subject: 'first' }, 5)
      assert.deepEqual(
        found.map(({ uid }) => uid),
        [1]
      )
      assert.equal(await store.countMessages({ subject: 'other' }), 2_501)
      assert.equal((await store.findMessages({ subject: 'other' }, 5, 2_499)).length, 2)
      assert.equal(await store.removeMessages({ subject: 'other', after: 1_802 }), 700)
      assert.deepEqual(await database.read(findDisagreements), [])
      assert.equal((await store.changesSince(inbox, 3)).expunged.length, 700)
      assert.equal(await store.removeAccount('ada'), true)
      assert.equal(await database.read(() => countRows('sandbox_messages')), 0)
      assert.equal(await database.read(() => countRows('sandbox_contents')), 0)
    })

    test('messages that refer to the same first one are one thread', async () => {
      await using mail = await openMail(engine)
      const { store } = mail
      await addAccount(mail, 'ada')
      for (const one of [
        { subject: 'a', messageId: '<1@a>', references: ['<1@a>'] },
        { subject: 'b', messageId: '<2@a>', references: ['<2@a>', '<1@a>'] },
        { subject: 'c', messageId: '<3@a>', references: ['<3@a>', '<1@a>', '<2@a>'] },
        { subject: 'd', messageId: '<4@a>', references: ['<4@a>'] },
        { subject: 'e' },
        { subject: 'f' }
      ]) {
        await store.deliver(['ada'], contentWith(one))
      }
      const threads = (await store.findMessages({}, 10)).map(({ contents }) => contents.thread)
      const [f, e, d, c, b, a] = threads
      assert.deepEqual([a, b], [c, c])
      assert.equal(new Set([c, d, e, f]).size, 4)
      for (const thread of threads) assert.match(thread, /^t[\da-z]+$/)
    })

    test('who watches an account is called after each of its changes', async () => {
      await using mail = await openMail(engine)
      const { store } = mail
      await addAccount(mail, 'ada')
      await addAccount(mail, 'bob')
      const heard = new Set<string>()
      const unwatch = store.watch('ada', () => heard.add('ada'))
      store.watch(undefined, () => heard.add('all'))
      const inbox = await mailboxId(mail, 'ada')
      const untilHeard = async (...names: string[]) => {
        const deadline = Date.now() + 60_000
        while (names.some((name) => !heard.has(name))) {
          assert.ok(Date.now() < deadline, `only ${[...heard]} was called`)
          await new Promise(setImmediate)
        }
        heard.clear()
      }
      const changes: (() => Promise<unknown>)[] = [
        () => store.deliver(['ada'], contentWith({ subject: 'a' })),
        () => store.storeFlags(inbox, [1], 'add', ['\\Deleted']),
        () => store.copy(inbox, [1], inbox),
        () => store.expunge(inbox, [1]),
        () => store.removeMessages({ account: 'ada' }),
        () => store.createMailbox('ada', 'New'),
        () => store.renameMailbox('ada', 'New', 'Old'),
        () => store.subscribe('ada', 'Old', true),
        () => store.removeMailbox('ada', 'Old')
      ]
      for (const change of changes) {
        await change()
        await untilHeard('ada', 'all')
      }
      await store.deliver(['bob'], contentWith({ subject: 'b' }))
      await untilHeard('all')
      // Polls of PostgreSQL may call without a change.
      if (engine === 'sqlite') assert.equal(heard.has('ada'), false)
      unwatch()
      await store.removeAccount('ada')
      await untilHeard('all')
      assert.equal(heard.has('ada'), false)
    })
  })
}
