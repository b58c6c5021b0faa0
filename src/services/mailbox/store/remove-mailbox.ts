/** Removal of mailboxes and accounts with their messages, in steps of limited size. */
import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import { releaseReferences } from '../../../kernel/files/table.ts'
import { discardRows } from './expunge.ts'
import { INBOX, normaliseName, rangeBelow } from './mailbox-names.ts'
import { findMailbox } from './mailboxes.ts'
import { removeMailAccount } from './remove-mail-account.ts'
import type { MessageRow } from './rows.ts'
import { notifyWatchers } from './topics.ts'

/** Messages that one transaction removes; `more` means that another one must follow. */
const STEP = 1_000

export function* removeMailbox(
  account: string,
  name: string
): Transaction<'removed' | 'missing' | 'hasChildren' | 'more'> {
  const mailbox = yield* findMailbox(account, name)
  if (mailbox === undefined || normaliseName(name) === INBOX) return 'missing'
  const children = yield* query(
    `select 1 as found from sandbox_mailboxes
     where account = ? and name >= ? and name < ? limit 1`,
    ...[account, ...rangeBelow(mailbox.name)]
  )
  if (children.length > 0) return 'hasChildren'
  const rows = yield* query<MessageRow>(
    'select * from sandbox_messages where mailbox = ? order by uid limit ?',
    ...[mailbox.id, STEP]
  )
  yield* releaseReferences(yield* discardRows(rows))
  if (rows.length === STEP) return 'more'
  yield* query('delete from sandbox_expunged where mailbox = ?', mailbox.id)
  yield* query('delete from sandbox_mailboxes where id = ?', mailbox.id)
  yield* notifyWatchers(account)
  return 'removed'
}

export function* removeAccount(
  account: string,
  time: number,
  receiver: string | undefined
): Transaction<'removed' | 'missing' | 'more'> {
  const rows = yield* query<MessageRow>(
    'select * from sandbox_messages where account = ? order by number limit ?',
    ...[account, STEP]
  )
  yield* releaseReferences(yield* discardRows(rows))
  if (rows.length === STEP) return 'more'
  yield* query(
    `delete from sandbox_expunged
     where mailbox in (select id from sandbox_mailboxes where account = ?)`,
    account
  )
  yield* query('delete from sandbox_mailboxes where account = ?', account)
  yield* query('delete from sandbox_subscriptions where account = ?', account)
  const removed = yield* query('delete from sandbox_accounts where id = ? returning id', account)
  if (removed.length === 0) return 'missing'
  yield* removeMailAccount(account, time, receiver)
  yield* notifyWatchers(account)
  return 'removed'
}
