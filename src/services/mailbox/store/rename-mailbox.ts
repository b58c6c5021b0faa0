import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import { INBOX, isStorable, normaliseName, parentsOf, rangeBelow } from './mailbox-names.ts'
import { findMailbox, missingNames, requireSpace } from './mailboxes.ts'
import { insertMailboxes } from './new-mailboxes.ts'
import type { MailboxRow, MessageRow } from './rows.ts'
import { notifyWatchers } from './topics.ts'
import { moveRows } from './transfer.ts'

const NAMED = `
  select * from sandbox_mailboxes
  where account = ? and (name = ? or (name >= ? and name < ?)) order by name`

/** With the mailboxes below and with missing parents of the new name. */
export function* renameMailbox(
  account: string,
  fromName: string,
  toName: string,
  now: number
): Transaction<'renamed' | 'missing' | 'exists'> {
  const [from, to] = [normaliseName(fromName), normaliseName(toName)]
  const source = yield* findMailbox(account, from)
  if (source === undefined || !isStorable(to)) return 'missing'
  if ((yield* findMailbox(account, to)) !== undefined) return 'exists'
  if (from === INBOX) yield* moveInbox(source, to, now)
  else {
    const rows = yield* query<MailboxRow>(NAMED, account, from, ...rangeBelow(from))
    for (const { id, name } of rows) {
      yield* query(
        'update sandbox_mailboxes set name = ? where id = ?',
        ...[`${to}${name.slice(from.length)}`, id]
      )
    }
    yield* addNames(account, parentsOf(to), now)
  }
  yield* notifyWatchers(account)
  return 'renamed'
}

/** INBOX stays, empty, and so do the mailboxes below it (RFC 3501, 6.3.5). */
function* moveInbox({ id, account }: MailboxRow, to: string, now: number): Transaction<void> {
  const added = yield* addNames(account, [...parentsOf(to), to], now)
  const rows = yield* query<MessageRow>(
    'select * from sandbox_messages where mailbox = ? order by uid',
    id
  )
  const target = added.at(-1)
  if (target !== undefined) yield* moveRows(id, rows, target.id, now)
}

function* addNames(
  account: string,
  names: readonly string[],
  now: number
): Transaction<readonly MailboxRow[]> {
  const missing = yield* missingNames(account, names)
  if (missing.length === 0) return []
  yield* requireSpace(account, missing.length)
  return yield* insertMailboxes(
    account,
    missing.map((name) => ({ name })),
    now
  )
}
