/** Events in the tables: each change once, one order in all processes, and how long they stay. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { StorageFull } from '../../src/kernel/database/errors.ts'
import { query, type Transaction } from '../../src/kernel/database/transaction.ts'
import type { Account } from '../../src/services/mailbox/accounts/account.ts'
import type { NewEvent } from '../../src/services/mailbox/events/record-events.ts'
import { recordEvents } from '../../src/services/mailbox/events/record-events.ts'
import { EVENT_LIMITS, removeOldEvents } from '../../src/services/mailbox/events/retention.ts'
import { recordMove } from '../../src/services/mailbox/messages/record-move.ts'
import {
  type EventPage,
  readEventPage,
  readHead
} from '../../src/services/mailbox/store/read-events.ts'
import { removeEvents } from '../../src/services/mailbox/store/remove-events.ts'
import { replayEvent } from '../../src/services/mailbox/store/replay-events.ts'
import {
  AccountChanged,
  storeWatchedMailbox
} from '../../src/services/mailbox/store/watched-mailboxes.ts'
import { storeInitialized } from '../../src/services/mailbox/watch/watch-states.ts'
import { ENGINES } from '../support/engines.ts'
import { addAccount, countRows, type MailTables, openMail, START } from './mailbox-tables.ts'

const DAY_MS = 24 * 60 * 60_000
/** A mailbox that is watched. */
const ROW = {
  ...{ path: 'INBOX', uid_validity: '1', uid_next: 1, highest_modseq: null, messages: 0 },
  ...{ special_use: null, details: '{}', message_index: new Uint8Array(), compared_at: START }
}
const PAGE = { limit: 1000, maxBytes: 1e9, window: 1e9 }

function eventOf(account: string, uid: number, more: Partial<NewEvent> = {}): NewEvent {
  return { account, name: 'messageNew', key: [1, uid], path: 'INBOX', data: { uid }, ...more }
}

/** Webhooks are on, so that each event waits to be sent. */
async function enableWebhooks({ database }: MailTables): Promise<void> {
  await database.write(() =>
    query(
      `insert into settings (name, value, secret) values ('webhooksEnabled', 'true', null),
         ('webhooks', '"https://receiver.example"', null)`
    )
  )
}

async function uidsOf({ database }: MailTables, account?: string): Promise<number[]> {
  const accounts = account === undefined ? undefined : [account]
  const filter = { accounts, names: ['messageNew'] }
  const { events } = await database.read(() => readEventPage(filter, { after: 0 }, PAGE))
  return events.map(({ body }) => JSON.parse(body).data.uid)
}

for (const engine of ENGINES) {
  describe(`events of mailbox, on ${engine}`, () => {
    test('what was read for an account is not stored for one of the same id that was added later', async () => {
      await using tables = await openMail(engine)
      const { database, store } = tables
      await addAccount(tables, 'ada')
      const [before] = await database.read(() => query<Account>('select * from accounts'))
      assert.ok(before !== undefined)
      const storeRow = (owner: Account, revision: number) =>
        database.write(() => storeWatchedMailbox(owner, { ...ROW, revision }))
      await storeRow(before, 0)
      await store.removeAccount('ada')
      tables.clock.ms++
      const later = { id: 'ada', address: 'ada@example.com', name: 'ada', password: 'another' }
      await store.addAccount({ ...later, createdAt: START + 1 })
      const [after] = await database.read(() => query<Account>('select * from accounts'))
      assert.ok(after !== undefined)
      await assert.rejects(storeRow(before, 0), AccountChanged)
      await storeRow(after, 0)
      // The row has the same path and the same revision.
      await assert.rejects(storeRow(before, 1), AccountChanged)
      await assert.rejects(
        database.write(() => storeInitialized(before, START)),
        AccountChanged
      )
      const { events } = await database.read(() =>
        readEventPage({ accounts: ['ada'], names: ['accountInitialized'] }, { after: 0 }, PAGE)
      )
      assert.deepEqual(events, [])
      await storeRow(after, 1)
    })

    test('messages are moved although the disk is full', async () => {
      await using tables = await openMail(engine)
      const { database } = tables
      await addAccount(tables, 'ada')
      const [account] = await database.read(() => query<Account>('select * from accounts'))
      const row = { ...ROW, revision: 0 }
      await database.write(() => storeWatchedMailbox(account ?? assert.fail(), row))
      for (const possible of [0, 1, 10]) {
        let left = possible
        const full: typeof database = {
          ...database,
          write: (transaction, options) =>
            left-- > 0 ? database.write(transaction, options) : Promise.reject(new StorageFull())
        }
        const session = { database: full, account: 'ada', now: () => new Date(START) }
        const move = async () => ({ ids: 'moved', pairs: [['before', 'after']] as const })
        assert.equal(await recordMove(session, move), 'moved')
      }
      const moves = await database.read(() =>
        query<{ source: string }>('select source from moved_messages order by source')
      )
      assert.deepEqual(
        moves.map(({ source }) => source.split(' ')[0]),
        ['before', 'begun']
      )
    })

    test('an event that is recorded again is neither stored nor sent nor counted again', async () => {
      await using tables = await openMail(engine)
      const { database } = tables
      await addAccount(tables, 'ada')
      await enableWebhooks(tables)
      const events = Array.from({ length: 50 }, (_, uid) => eventOf('ada', uid))
      await database.write(() => recordEvents(events, START))
      await database.write(() => recordEvents([...events, eventOf('ada', 50)], START + 1))
      // Twice in one step.
      await database.write(() => recordEvents([eventOf('ada', 51), eventOf('ada', 51)], START))
      assert.deepEqual(
        await uidsOf(tables),
        Array.from({ length: 52 }, (_, uid) => uid)
      )
      const jobs = await database.read(() =>
        query<{ payload: string; lane: string }>('select payload, lane from outbox order by number')
      )
      assert.equal(new Set(jobs.map(({ payload }) => payload)).size, 52)
      assert.deepEqual([...new Set(jobs.map(({ lane }) => lane))], ['webhook ada'])
      const [counted] = await database.read(() =>
        query<{ count: number }>(
          "select count from event_counts where name = 'messageNew' and minute = 0"
        )
      )
      assert.equal(counted?.count, 52)
    })

    test('an event of an account that is gone is not stored', async () => {
      await using tables = await openMail(engine)
      const { database } = tables
      await addAccount(tables, 'ada')
      await database.write(() => recordEvents([eventOf('bob', 1), eventOf('ada', 2)], START))
      assert.deepEqual(await uidsOf(tables), [2])
    })

    test('names of mailboxes with characters that a database rejects are stored', async () => {
      await using tables = await openMail(engine)
      const { database } = tables
      await addAccount(tables, 'ada')
      const path = 'a\0b\ud800'
      const event = eventOf('ada', 1, { path, data: { uid: 1, subject: path } })
      await database.write(() => recordEvents([event], START))
      assert.deepEqual(await uidsOf(tables), [1])
    })

    test('a page has as many events as its size allows, and at least one', async () => {
      await using tables = await openMail(engine)
      const { database } = tables
      await addAccount(tables, 'ada')
      const text = 'ü'.repeat(2000)
      const events = [1, 2, 3].map((uid) => eventOf('ada', uid, { data: { uid, text } }))
      await database.write(() => recordEvents(events, START))
      const read = (after: number, maxBytes: number) =>
        database.read(() =>
          readEventPage({ accounts: ['ada'] }, { after }, { limit: 10, maxBytes, window: 1e9 })
        )
      const { head, events: all } = await read(0, 1e9)
      assert.deepEqual([all.length, all.at(-1)?.number], [4, head])
      const small = await read(all[0]?.number ?? 0, 10)
      assert.deepEqual([small.events.length, small.hasMore], [1, true])
      const two = await read(all[0]?.number ?? 0, 10_000)
      assert.deepEqual([two.events.length, two.hasMore], [2, true])
    })

    test('events that fit a filter are found in parts of the log, in both directions', async () => {
      await using tables = await openMail(engine)
      const { database } = tables
      await addAccount(tables, 'ada')
      for (let uid = 1; uid <= 95; uid++) {
        const name = uid % 40 === 0 ? 'messageNew' : 'messageDeleted'
        await database.write(() => recordEvents([eventOf('ada', uid, { name })], START))
      }
      // Numbers do not begin with 1.
      const old = { account: 'ada', below: 20, withWaiting: true }
      await database.write(() => removeEvents(engine, old, 100))
      const filter = { accounts: ['ada'], names: ['messageNew'] }
      const size = { limit: 1, maxBytes: 1e9, window: 10 }
      const collect = async (read: (from: number | undefined) => Transaction<EventPage>) => {
        const found: number[] = []
        let pages = 0
        for (let from: number | undefined; ; ) {
          const start = from
          const page = await database.read(() => read(start))
          found.push(...page.events.map(({ body }) => JSON.parse(body).data.uid))
          pages++
          if (!page.hasMore) return { found, isLimited: pages > 5 && pages < 15 }
          from = page.next
        }
      }
      const forward = await collect((after = 0) => readEventPage(filter, { after }, size))
      assert.deepEqual(forward, { found: [40, 80], isLimited: true })
      const backward = await collect((before) => readEventPage(filter, { before }, size))
      assert.deepEqual(backward, { found: [80, 40], isLimited: true })
    })

    test('old events are removed unless they wait to be sent; the last number stays', async () => {
      await using tables = await openMail(engine)
      const { database } = tables
      await addAccount(tables, 'ada')
      const record = (uids: readonly number[], time: number) =>
        database.write(() =>
          recordEvents(
            uids.map((uid) => eventOf('ada', uid)),
            time
          )
        )
      await record([1, 2], START)
      await enableWebhooks(tables)
      await record([3], START)
      await record([4], START + 5 * DAY_MS)
      const head = await database.read(readHead)
      await removeOldEvents(database, { time: START + 8 * DAY_MS })
      assert.deepEqual(await uidsOf(tables), [3, 4])
      await removeOldEvents(database, { time: START + 31 * DAY_MS })
      assert.deepEqual(await uidsOf(tables), [4])
      await removeOldEvents(database, { time: START + 99 * DAY_MS })
      assert.equal(await database.read(readHead), head, 'the last one is not removed')
      await record([5], START + 99 * DAY_MS)
      assert.ok((await database.read(readHead)) > head)
    })

    test('an account with too many events, or too large ones, loses its oldest', async () => {
      await using tables = await openMail(engine)
      const { database } = tables
      for (const id of ['ada', 'bob']) await addAccount(tables, id)
      const events = (account: string, uids: readonly number[], text = '') =>
        database.write(() =>
          recordEvents(
            uids.map((uid) => eventOf(account, uid, { data: { uid, text } })),
            START
          )
        )
      await events('ada', [1, 2, 3, 4, 5, 6])
      await events('bob', [1, 2], 'x'.repeat(1000))
      await events('bob', [3])
      const limits = { ...EVENT_LIMITS, ended: 4, bytes: 1800 }
      await removeOldEvents(database, { time: START, limits })
      assert.deepEqual(await uidsOf(tables, 'ada'), [3, 4, 5, 6])
      assert.deepEqual(await uidsOf(tables, 'bob'), [2, 3])
      await enableWebhooks(tables)
      await events('ada', [7, 8, 9, 10, 11, 12])
      await removeOldEvents(database, { time: START, limits })
      assert.deepEqual(await uidsOf(tables, 'ada'), [7, 8, 9, 10, 11, 12], 'all of them wait')
      await removeOldEvents(database, { time: START, limits: { ...limits, all: 5 } })
      assert.deepEqual(await uidsOf(tables, 'ada'), [8, 9, 10, 11, 12])
    })

    test('an event whose job was removed is sent again by another one', async () => {
      await using tables = await openMail(engine)
      const { database } = tables
      await addAccount(tables, 'ada')
      await database.write(() => recordEvents([eventOf('ada', 1)], START))
      const read = async () => {
        const filter = { accounts: ['ada'], names: ['messageNew'] }
        const { events } = await database.read(() => readEventPage(filter, { after: 0 }, PAGE))
        return events[0] ?? assert.fail()
      }
      const replay = async () => {
        const event = await read()
        return database.write(() => replayEvent(event, false, START))
      }
      assert.equal(await replay(), 'new')
      assert.equal(await replay(), 'waiting')
      await database.write(() => query('delete from outbox'))
      assert.equal(await replay(), 'new')
      assert.equal(await database.read(() => countRows('outbox')), 1)
    })
  })
}

test('numbers of events grow in the order of the commits of several processes', async () => {
  await using one = await openMail('postgres')
  await using two = await openMail(one.place)
  await addAccount(one, 'ada')
  await addAccount(two, 'bob')
  let isOver = false
  const seen: number[] = []
  const follow = async () => {
    let after = 0
    for (let isLast = false; !isLast; ) {
      isLast = isOver
      const from = after
      const page = await two.database.read(() =>
        readEventPage({ accounts: undefined, names: ['messageNew'] }, { after: from }, PAGE)
      )
      for (const { number } of page.events) seen.push(number)
      after = Math.max(page.head, seen.at(-1) ?? 0)
    }
  }
  const write = async ({ database }: MailTables, account: string) => {
    for (let uid = 0; uid < 100; uid++) {
      await database.write(() => recordEvents([eventOf(account, uid)], START))
    }
  }
  const following = follow()
  await Promise.all([write(one, 'ada'), write(two, 'bob')]).finally(() => {
    isOver = true
  })
  await following
  assert.equal(seen.length, 200)
  assert.deepEqual(
    seen,
    seen.toSorted((a, b) => a - b)
  )
})
