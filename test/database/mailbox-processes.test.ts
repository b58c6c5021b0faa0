/**
 * Many changes of the same accounts at the same time. Two stores with their own connections stand
 * for two processes on PostgreSQL; on SQLite both have the same database.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES } from '../support/engines.ts'
import { runPool } from '../support/pool.ts'
import {
  addAccount,
  contentWith,
  findDisagreements,
  type MailTables,
  mailboxId,
  openMail
} from './mailbox-tables.ts'

const ACCOUNTS = ['ada', 'bob', 'cyd'] as const
const DELIVERIES = 90
const AT_ONCE = 24
const FEW = { messages: 40, bytes: 1e9 }

/** Reads what arrives until the number of messages is complete; each time only what is new. */
async function follow({ store }: MailTables, count: number): Promise<readonly string[]> {
  const seen: string[] = []
  let after = 0
  while (seen.length < count) {
    const found = await store.findMessages({ after }, 1_000)
    seen.push(
      ...found.toReversed().map(({ account, contents }) => `${account} ${contents.subject}`)
    )
    after = found[0]?.number ?? after
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  return seen
}

for (const engine of ENGINES) {
  test(`deliveries and changes at the same time lose nothing, on ${engine}`, async () => {
    await using mail = await openMail(engine)
    await using second = engine === 'postgres' ? await openMail(mail.place) : undefined
    const stores = [mail.store, (second ?? mail).store]
    for (const account of ACCOUNTS) await addAccount(mail, account)
    const inboxes = await Promise.all(ACCOUNTS.map((account) => mailboxId(mail, account)))
    const expected: string[] = []
    let heard = 0
    ;(second ?? mail).store.watch('bob', () => heard++)
    const numbers = Array.from({ length: DELIVERIES }, (_, number) => number)
    for (const number of numbers) {
      const accounts = number % 5 === 0 ? ACCOUNTS : ACCOUNTS.slice(number % 3, (number % 3) + 1)
      for (const account of accounts) expected.push(`${account} ${number}`)
    }
    const following = follow(mail, expected.length)
    await runPool(numbers, AT_ONCE, async (number) => {
      const store = stores[number % 2] ?? mail.store
      const accounts = number % 5 === 0 ? ACCOUNTS : ACCOUNTS.slice(number % 3, (number % 3) + 1)
      await store.deliver(accounts.toReversed(), contentWith({ subject: String(number) }))
      const inbox = inboxes[number % 3] ?? 0
      await store.storeFlags(inbox, [1, 2, 3], number % 2 === 0 ? 'add' : 'remove', [
        ...['\\Flagged', `k${number % 7}`]
      ])
    })
    assert.deepEqual([...(await following)].sort(), expected.toSorted())
    for (const [index, account] of ACCOUNTS.entries()) {
      const messages = await mail.store.readMessages(inboxes[index] ?? 0)
      const own = expected.filter((one) => one.startsWith(account)).length
      assert.deepEqual(
        messages.map(({ uid }) => uid),
        Array.from({ length: own }, (_, uid) => uid + 1)
      )
      const { modseq = 0 } = (await mail.store.findMailbox(account, 'INBOX')) ?? {}
      assert.equal(Math.max(...messages.map((message) => message.modseq)) <= modseq, true)
    }
    assert.ok(heard > 0)
    assert.deepEqual(await mail.database.read(findDisagreements), [])
  })

  test(`copies, moves and removals at the same time keep all counts, on ${engine}`, async () => {
    await using mail = await openMail(engine, FEW)
    await using second = engine === 'postgres' ? await openMail(mail.place, FEW) : undefined
    const stores = [mail.store, (second ?? mail).store]
    for (const account of ACCOUNTS) await addAccount(mail, account)
    for (let number = 0; number < 20; number++) {
      await mail.store.deliver(ACCOUNTS, contentWith({ subject: `shared ${number % 4}` }))
    }
    const numbers = Array.from({ length: DELIVERIES }, (_, number) => number)
    await runPool(numbers, AT_ONCE, async (number) => {
      const store = stores[number % 2] ?? mail.store
      const account = ACCOUNTS[number % 3] ?? 'ada'
      const [inbox, trash] = [
        await mailboxId(mail, account),
        await mailboxId(mail, account, 'Trash')
      ]
      const uids = (await store.readMessages(inbox)).map(({ uid }) => uid).slice(0, 3)
      if (number % 6 === 0) await store.copy(inbox, uids, trash)
      else if (number % 6 === 1) await store.move(inbox, uids, trash)
      else if (number % 6 === 2) {
        await store.storeFlags(inbox, uids, 'add', ['\\Deleted'])
        await store.expunge(inbox)
      } else if (number % 6 === 3) await store.removeMessages({ subject: `shared ${number % 4}` })
      else await store.deliver(ACCOUNTS, contentWith({ subject: `shared ${number % 4}` }))
    })
    assert.deepEqual(await mail.database.read(findDisagreements), [])
  })
}
