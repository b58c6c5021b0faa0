/** Fills the INBOX of a sandbox account in the tables of a process that does not run. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { openDatabase } from '../../src/kernel/database/open.ts'
import { query } from '../../src/kernel/database/transaction.ts'
import { migrations } from '../../src/services/mailbox/store/migrations.ts'

/** Every tenth message is unread, every hundredth has a keyword. */
const FLAGS = `case when n % 100 = 0 then '\\Seen $Project' when n % 10 = 0 then '' else '\\Seen' end`

/** Between the arrivals of two messages; the last one arrived a week ago. */
const INTERVAL_MS = 600_000

/**
 * Copies the only message of the account, so that it has `count` of them. Uses SQLite in the data
 * folder.
 */
export async function fillMailbox(data: string, account: string, count: number): Promise<void> {
  const file = join(data, 'mailbox.sqlite')
  const database = await openDatabase(
    { engine: 'sqlite', file, durable: false },
    { service: 'mailbox', migrations }
  )
  await database.write(function* () {
    const [message] = yield* query<{ number: number; mailbox: number; uid: number; size: number }>(
      'select number, mailbox, uid, size from sandbox_messages where account = ?',
      account
    )
    assert.ok(message, 'the account has a message')
    const { number, mailbox, uid, size } = message
    yield* query(
      `insert into sandbox_messages (number, mailbox, uid, account, content, size, internal_date,
         saved_at, flags, is_seen, is_deleted, modseq)
       with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ?)
       select number + n, mailbox, uid + n, account, content, size,
         internal_date - (? + 1000 - n) * ?, saved_at,
         ${FLAGS}, case when n % 100 <> 0 and n % 10 = 0 then 0 else 1 end, 0, modseq + n
       from sandbox_messages, numbers where number = ?`,
      ...[count - 1, count, INTERVAL_MS, number]
    )
    yield* query(
      'update sandbox_mailboxes set uid_next = ?, modseq = modseq + ? where id = ?',
      ...[uid + count, count - 1, mailbox]
    )
    yield* query(
      'update sandbox_accounts set messages = ?, bytes = ? where id = ?',
      ...[count, count * size, account]
    )
    yield* query('update sandbox_contents set refs = ? where refs = 1', count)
    yield* query('update sandbox_counters set value = value + ?', count)
  })
  await database.close()
}
