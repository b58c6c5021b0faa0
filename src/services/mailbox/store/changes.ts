import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import type { MailboxChanges } from '../sandbox/mail-store.ts'
import { type MailboxRow, type MessageRow, mailboxOf, messageOf } from './rows.ts'

const CHANGED = `
  select * from sandbox_messages where mailbox = ? and modseq > ? and modseq <= ? order by uid`
const EXPUNGED = `
  select uid from sandbox_expunged where mailbox = ? and modseq > ? and modseq <= ? order by uid`
const EXISTING = 'select uid from sandbox_messages where mailbox = ? order by uid'

/**
 * Up to the modseq of the mailbox as it is read first: on PostgreSQL each statement sees what is
 * committed at its own time.
 */
export function* changesSince(mailbox: number, modseq: number): Transaction<MailboxChanges> {
  const [row] = yield* query<MailboxRow>('select * from sandbox_mailboxes where id = ?', mailbox)
  if (row === undefined) return { mailbox: undefined, changed: [], expunged: [] }
  if (modseq >= row.modseq) return { mailbox: mailboxOf(row), changed: [], expunged: [] }
  const changed = yield* query<MessageRow>(CHANGED, mailbox, modseq, row.modseq)
  const expunged =
    modseq >= row.expunged_horizon
      ? (yield* query<{ uid: number }>(EXPUNGED, mailbox, modseq, row.modseq)).map(({ uid }) => uid)
      : yield* absentUids(row)
  return { mailbox: mailboxOf(row), changed: changed.map(messageOf), expunged }
}

/** All below `uid_next` that do not exist, for clients from before the oldest record. */
function* absentUids({ id, uid_next }: MailboxRow): Transaction<readonly number[]> {
  const existing = yield* query<{ uid: number }>(EXISTING, id)
  const absent: number[] = []
  let next = 1
  for (const { uid } of existing) {
    while (next < Math.min(uid, uid_next)) absent.push(next++)
    next = uid + 1
  }
  while (next < uid_next) absent.push(next++)
  return absent
}
