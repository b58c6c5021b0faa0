/** Messages that are copied or moved to another mailbox. */
import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import { releaseReferences } from '../../../kernel/files/table.ts'
import type { Copied } from '../sandbox/mail-store.ts'
import { shareContents } from './contents.ts'
import { takeNumbers } from './counters.ts'
import { recordExpunged, sumOfSizes } from './expunge.ts'
import { removeOldest } from './limits.ts'
import { deleteMessages, insertMessages, readRows, takeUids } from './messages.ts'
import type { MailboxRow, MessageRow } from './rows.ts'
import { notifyWatchers } from './topics.ts'
import { addToTotals, type Limits } from './totals.ts'

export interface TransferOptions {
  readonly limits: Limits
  readonly time: number
}

/** Undefined if one of the mailboxes does not exist or is of another account. */
export function* copyMessages(
  from: number,
  uids: readonly number[],
  to: number,
  { limits, time }: TransferOptions
): Transaction<Copied | undefined> {
  const target = yield* findTarget(from, to)
  if (target === undefined) return undefined
  const rows = yield* readRows(from, uids)
  if (rows.length === 0) return { uidValidity: target.uid_validity, from: [], to: [] }
  yield* shareContents(rows.map(({ content }) => content))
  const totals = yield* addToTotals([target.account], rows.length, sumOfSizes(rows))
  yield* releaseReferences(yield* removeOldest(totals, limits))
  const number = yield* takeNumbers(rows.length)
  const numbered = rows.map((row, index) => ({ ...row, number: number + index }))
  const copied = yield* insertInto(to, numbered, time)
  yield* notifyWatchers(target.account)
  return { uidValidity: target.uid_validity, from: rows.map(({ uid }) => uid), to: copied }
}

export function* moveMessages(
  from: number,
  uids: readonly number[],
  to: number,
  time: number
): Transaction<Copied | undefined> {
  const target = yield* findTarget(from, to)
  if (target === undefined) return undefined
  const rows = yield* readRows(from, uids)
  const moved = yield* moveRows(from, rows, to, time)
  if (moved.length > 0) yield* notifyWatchers(target.account)
  return { uidValidity: target.uid_validity, from: rows.map(({ uid }) => uid), to: moved }
}

/** Rows of one mailbox; they keep their numbers. Returns the new UIDs; the caller notifies. */
export function* moveRows(
  from: number,
  rows: readonly MessageRow[],
  to: number,
  time: number
): Transaction<readonly number[]> {
  if (rows.length === 0) return []
  yield* recordExpunged(from, rows)
  yield* deleteMessages(rows.map(({ number }) => number))
  return yield* insertInto(to, rows, time)
}

function* insertInto(
  mailbox: number,
  rows: readonly MessageRow[],
  time: number
): Transaction<readonly number[]> {
  const target = yield* takeUids(mailbox, rows.length)
  if (target === undefined) return []
  const first = target.uid_next - rows.length
  const inserted = rows.map((row, index) => ({
    ...row,
    mailbox,
    uid: first + index,
    saved_at: time,
    modseq: target.modseq
  }))
  yield* insertMessages(inserted)
  return inserted.map(({ uid }) => uid)
}

function* findTarget(from: number, to: number): Transaction<MailboxRow | undefined> {
  const rows = yield* query<MailboxRow>(
    'select * from sandbox_mailboxes where id in (?, ?)',
    ...[from, to]
  )
  const source = rows.find(({ id }) => id === from)
  const target = rows.find(({ id }) => id === to)
  return source?.account === target?.account ? target : undefined
}
