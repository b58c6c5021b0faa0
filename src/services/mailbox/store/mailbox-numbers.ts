import { createHash } from 'node:crypto'
import { query, type Transaction } from '../../../kernel/database/transaction.ts'

/** A mailbox on a mail server; another UIDVALIDITY means other messages. */
export interface MailboxIdentity {
  readonly uidValidity: string
  readonly path: string
}

/** Of one account. If a server has more, the numbers of some are removed until their next use. */
const MAX_MAILBOXES = 50_000
const REMOVED_AT_ONCE = 5000
const NUMBERS = 2 ** 32

function keyOf({ uidValidity, path }: MailboxIdentity): Buffer {
  return createHash('sha256').update(`${uidValidity} ${path}`).digest()
}

/**
 * The number of a mailbox in ids of messages. It is made of the hash of the mailbox, or is the next
 * free one: the same mailbox has the same number again after an account was removed and added, so an
 * id never means another message.
 */
export function* findOrAddMailboxNumber(
  account: string,
  mailbox: MailboxIdentity
): Transaction<number> {
  const hash = keyOf(mailbox)
  const key = hash.toString('base64url')
  const known = yield* findNumber(account, key)
  if (known !== undefined) return known
  yield* keepLimit(account)
  const number = yield* freeNumber(account, hash.readUInt32BE())
  // The account may have been removed meanwhile.
  yield* query(
    `insert into account_mailboxes (account, number, key, uid_validity, path)
     select id, ?, ?, ?, ? from accounts where id = ? on conflict do nothing`,
    ...[number, key, mailbox.uidValidity, mailbox.path, account]
  )
  return (yield* findNumber(account, key)) ?? number
}

function* findNumber(account: string, key: string): Transaction<number | undefined> {
  const [row] = yield* query<{ number: number }>(
    'select number from account_mailboxes where account = ? and key = ?',
    ...[account, key]
  )
  return row?.number
}

function* freeNumber(account: string, wanted: number): Transaction<number> {
  let number = wanted
  for (;;) {
    const rows = yield* query(
      'select number from account_mailboxes where account = ? and number = ?',
      ...[account, number]
    )
    if (rows.length === 0) return number
    number = (number + 1) % NUMBERS
  }
}

function* keepLimit(account: string): Transaction<void> {
  const [counted] = yield* query<{ count: number }>(
    'select count(*) as count from account_mailboxes where account = ?',
    account
  )
  if ((counted?.count ?? 0) < MAX_MAILBOXES) return
  yield* query(
    `delete from account_mailboxes where account = ? and number in
       (select number from account_mailboxes where account = ? order by number limit ?)`,
    ...[account, account, REMOVED_AT_ONCE]
  )
}

export function* findMailboxByNumber(
  account: string,
  number: number
): Transaction<MailboxIdentity | undefined> {
  const [row] = yield* query<{ uid_validity: string; path: string }>(
    'select uid_validity, path from account_mailboxes where account = ? and number = ?',
    ...[account, number]
  )
  return row && { uidValidity: row.uid_validity, path: row.path }
}
