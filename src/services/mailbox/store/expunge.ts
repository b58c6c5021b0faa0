/** Removal of messages: their rows, contents and totals, and the records for QRESYNC. */
import { insertRows } from '../../../kernel/database/insert-rows.ts'
import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import { releaseReferences } from '../../../kernel/files/table.ts'
import { releaseContents } from './contents.ts'
import { deleteMessages, nextModseq, readRows } from './messages.ts'
import type { MessageRow } from './rows.ts'
import { notifyWatchers } from './topics.ts'
import { addToTotals } from './totals.ts'

/** Records of removed messages that a mailbox keeps; up to `PRUNE_STEP` more until the next check. */
export const KEPT_RECORDS = 10_000
const PRUNE_STEP = 1_000

/** The caller notifies. */
export function* removeRows(rows: readonly MessageRow[]): Transaction<void> {
  yield* releaseReferences(yield* detachRows(rows))
}

/** Returns the hashes of the files that the caller must release. */
export function* detachRows(rows: readonly MessageRow[]): Transaction<readonly string[]> {
  if (rows.length === 0) return []
  for (const [mailbox, own] of Map.groupBy(rows, (row) => row.mailbox)) {
    yield* recordExpunged(mailbox, own)
  }
  return yield* discardRows(rows)
}

/** Like `detachRows`, without records: for mailboxes that are removed, too. */
export function* discardRows(rows: readonly MessageRow[]): Transaction<readonly string[]> {
  yield* deleteMessages(rows.map(({ number }) => number))
  for (const [account, own] of Map.groupBy(rows, (row) => row.account)) {
    yield* addToTotals([account], -own.length, -sumOfSizes(own))
  }
  return yield* releaseContents(rows.map(({ content }) => content))
}

export function sumOfSizes(rows: readonly MessageRow[]): number {
  return rows.reduce((sum, { size }) => sum + size, 0)
}

/** Messages leave a mailbox with its next modseq. */
export function* recordExpunged(mailbox: number, rows: readonly MessageRow[]): Transaction<void> {
  const changed = yield* nextModseq(mailbox, rows.length)
  if (changed === undefined) return
  const { modseq, expunged_records } = changed
  yield* insertRows(
    'sandbox_expunged',
    rows.map(({ uid }) => ({ mailbox, uid, modseq }))
  )
  if (expunged_records >= KEPT_RECORDS + PRUNE_STEP) yield* pruneRecords(mailbox)
}

function* pruneRecords(mailbox: number): Transaction<void> {
  const [newest] = yield* query<{ modseq: number }>(
    'select modseq from sandbox_expunged where mailbox = ? order by modseq desc limit 1 offset ?',
    ...[mailbox, KEPT_RECORDS]
  )
  const modseq = newest?.modseq ?? 0
  yield* query('delete from sandbox_expunged where mailbox = ? and modseq <= ?', mailbox, modseq)
  yield* query(
    `update sandbox_mailboxes set expunged_horizon = ?,
       expunged_records = (select count(*) from sandbox_expunged e where e.mailbox = ?)
     where id = ?`,
    ...[modseq, mailbox, mailbox]
  )
}

/** Those with the flag \Deleted, all or of these UIDs. */
export function* expungeDeleted(
  mailbox: number,
  uids: readonly number[] | undefined
): Transaction<readonly number[]> {
  const rows =
    uids === undefined
      ? yield* query<MessageRow>(
          'select * from sandbox_messages where mailbox = ? and is_deleted = 1 order by uid',
          mailbox
        )
      : (yield* readRows(mailbox, uids)).filter((row) => row.is_deleted === 1)
  const [first] = rows
  if (first === undefined) return []
  yield* removeRows(rows)
  yield* notifyWatchers(first.account)
  return rows.map(({ uid }) => uid)
}
