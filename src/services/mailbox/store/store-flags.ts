import { groupsOf, placeholders } from '../../../kernel/database/groups.ts'
import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import type { FlagChange, StoredMessage } from '../sandbox/mail-store.ts'
import { changeFlags, flagColumns, normaliseFlags, parseFlags } from './flags.ts'
import { nextModseq, readRows } from './messages.ts'
import { GROUP_SIZES, type MessageRow, messageOf } from './rows.ts'
import { notifyWatchers } from './topics.ts'

export interface FlagRequest {
  readonly uids: readonly number[]
  readonly change: FlagChange
  readonly flags: readonly string[]
  readonly unchangedSince: number | undefined
}

export interface FlagResult {
  readonly stored: readonly StoredMessage[]
  readonly modified: readonly number[]
}

export function* storeFlags(
  mailbox: number,
  { uids, change, flags, unchangedSince = Number.POSITIVE_INFINITY }: FlagRequest
): Transaction<FlagResult> {
  const existing = yield* readRows(mailbox, uids)
  const rows = existing.filter(({ modseq }) => modseq <= unchangedSince)
  const modified = existing.filter(({ modseq }) => modseq > unchangedSince).map(({ uid }) => uid)
  const wanted = normaliseFlags(flags)
  const results = rows.map((row) => ({
    row,
    columns: flagColumns(changeFlags(parseFlags(row.flags), change, wanted))
  }))
  const changed = results.filter(({ row, columns }) => row.flags !== columns.flags)
  if (changed.length === 0) return { stored: rows.map(messageOf), modified }
  const modseq = (yield* nextModseq(mailbox))?.modseq ?? 0
  for (const same of Map.groupBy(changed, ({ columns }) => columns.flags).values()) {
    yield* updateFlags(
      same.map(({ row }) => row),
      same[0]?.columns ?? flagColumns([]),
      modseq
    )
  }
  yield* notifyWatchers(rows[0]?.account ?? '')
  const stored = results.map(({ row, columns }) =>
    messageOf(row.flags === columns.flags ? row : { ...row, ...columns, modseq })
  )
  return { stored, modified }
}

function* updateFlags(
  rows: readonly MessageRow[],
  { flags, is_seen, is_deleted }: ReturnType<typeof flagColumns>,
  modseq: number
): Transaction<void> {
  for (const group of groupsOf(rows, GROUP_SIZES)) {
    yield* query(
      `update sandbox_messages set flags = ?, is_seen = ?, is_deleted = ?, modseq = ?
       where number in (${placeholders(group.length)})`,
      ...[flags, is_seen, is_deleted, modseq, ...group.map(({ number }) => number)]
    )
  }
}
