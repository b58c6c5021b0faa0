import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import type { Account } from '../accounts/account.ts'

/** What is stored about a mailbox. */
export interface WatchedMailboxRow {
  account: string
  path: string
  uid_validity: string
  uid_next: number
  highest_modseq: string | null
  messages: number
  special_use: string | null
  /** JSON. */
  details: string
  message_index: Uint8Array
  revision: number
  compared_at: number
}

export function* findWatchedMailbox(
  account: string,
  path: string
): Transaction<WatchedMailboxRow | undefined> {
  const [row] = yield* query<WatchedMailboxRow>(
    'select * from watched_mailboxes where account = ? and path = ?',
    ...[account, path]
  )
  return row
}

/** All of an account, without their indexes. */
export function listWatchedMailboxes(
  account: string
): Transaction<readonly Omit<WatchedMailboxRow, 'message_index'>[]> {
  return query(
    `select account, path, uid_validity, uid_next, highest_modseq, messages, special_use, details,
       revision, compared_at
     from watched_mailboxes where account = ? order by path`,
    account
  )
}

/** Another process, or an earlier attempt, has changed the row since it was read. */
export class MailboxChanged extends Error {
  override name = 'MailboxChanged'
}

/** The account was changed, or removed, since what is to be stored was read from its server. */
export class AccountChanged extends Error {
  override name = 'AccountChanged'
}

/**
 * Throws `AccountChanged` unless the account still has this revision: one that was removed and added
 * again may have another server, whose mailboxes have rows with the same paths and revisions.
 */
export function* requireRevision({
  id,
  revision
}: Pick<Account, 'id' | 'revision'>): Transaction<void> {
  const [row] = yield* query('select id from accounts where id = ? and revision = ?', id, revision)
  if (row === undefined) throw new AccountChanged(id)
}

/**
 * `revision` of the row is the one that was read, 0 for a new row. Throws `MailboxChanged`, or
 * `AccountChanged`.
 */
export function* storeWatchedMailbox(
  owner: Pick<Account, 'id' | 'revision'>,
  row: Omit<WatchedMailboxRow, 'account'>
): Transaction<void> {
  yield* requireRevision(owner)
  const { id: account } = owner
  const { path, revision } = row
  const values = [
    row.uid_validity,
    row.uid_next,
    row.highest_modseq,
    row.messages,
    row.special_use,
    row.details,
    row.message_index,
    row.compared_at
  ]
  const stored =
    revision === 0
      ? yield* query(
          `insert into watched_mailboxes (account, path, uid_validity, uid_next, highest_modseq,
             messages, special_use, details, message_index, compared_at, revision)
           select id, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1 from accounts where id = ?
           on conflict do nothing returning path`,
          ...[path, ...values, account]
        )
      : yield* query(
          `update watched_mailboxes set uid_validity = ?, uid_next = ?, highest_modseq = ?,
             messages = ?, special_use = ?, details = ?, message_index = ?, compared_at = ?,
             revision = revision + 1
           where account = ? and path = ? and revision = ? returning path`,
          ...[...values, account, path, revision]
        )
  if (stored.length === 0) throw new MailboxChanged(`${account} ${path}`)
}

export function* removeWatchedMailbox(
  account: string,
  path: string,
  revision: number
): Transaction<void> {
  const removed = yield* query(
    'delete from watched_mailboxes where account = ? and path = ? and revision = ? returning path',
    ...[account, path, revision]
  )
  if (removed.length === 0) throw new MailboxChanged(`${account} ${path}`)
}

/** `row` as it was read. */
export function* renameWatchedMailbox(
  account: string,
  { path, revision }: Pick<WatchedMailboxRow, 'path' | 'revision'>,
  to: Pick<WatchedMailboxRow, 'path' | 'special_use'>
): Transaction<void> {
  const renamed = yield* query(
    `update watched_mailboxes set path = ?, special_use = ?, revision = revision + 1
     where account = ? and path = ? and revision = ? returning path`,
    ...[to.path, to.special_use, account, path, revision]
  )
  if (renamed.length === 0) throw new MailboxChanged(`${account} ${path}`)
}

/** A row without an index, instead of the one that may be there. */
export function* addPlaceholder({
  account,
  path,
  special_use,
  details
}: Pick<WatchedMailboxRow, 'account' | 'path' | 'special_use' | 'details'>): Transaction<void> {
  yield* query(
    `insert into watched_mailboxes (account, path, uid_validity, uid_next, highest_modseq, messages,
       special_use, details, message_index, compared_at, revision)
     select id, ?, '', 0, null, 0, ?, ?, ?, 0, 1 from accounts where id = ?
     on conflict (account, path) do update set uid_validity = '', uid_next = 0,
       highest_modseq = null, messages = 0, details = excluded.details,
       message_index = excluded.message_index, revision = watched_mailboxes.revision + 1`,
    ...[path, special_use, details, new Uint8Array(), account]
  )
}

/** Instead of the number of messages of a mailbox that is to be compared in any case. */
export const UNKNOWN_MESSAGES = -1

export function* markMailboxes(account: string, paths: readonly string[]): Transaction<void> {
  for (const path of paths) {
    yield* query(
      `update watched_mailboxes set messages = ?, revision = revision + 1
       where account = ? and path = ?`,
      ...[UNKNOWN_MESSAGES, account, path]
    )
  }
}
