import type { Transaction } from '../../../kernel/database/transaction.ts'
import { EVENT_WRITES, type NewEvent, recordEvents } from '../events/record-events.ts'
import {
  addPlaceholder,
  removeWatchedMailbox,
  renameWatchedMailbox,
  requireRevision
} from '../store/watched-mailboxes.ts'
import type { ChangeSession } from './change-session.ts'
import { chunksOf } from './chunks-of.ts'
import type { ListChanges, ListedRow } from './compare-lists.ts'
import { formatDetails, parseDetails } from './mailbox-details.ts'
import { type MailboxFacts, mailboxDeletedEvent, mailboxNewEvent } from './mailbox-events.ts'
import { TEMPORARY_PREFIX, type WatchedPaths } from './watched-paths.ts'

/** Of one transaction: SQLite runs nothing else meanwhile. */
const MAX_ROWS = 200

/**
 * Stores what a list of mailboxes changes, with its events, in several transactions: there may be
 * thousands of rows, and the next comparison finds those that are not stored.
 */
export async function storeList(
  { account, context }: ChangeSession,
  { removed, renamed, placeholders }: ListChanges,
  { isWatched }: WatchedPaths,
  time: number
): Promise<void> {
  async function store(change: () => Transaction<readonly NewEvent[]>): Promise<void> {
    await context.kernel.database.write(function* () {
      yield* requireRevision(account)
      yield* recordEvents(yield* change(), time)
    }, EVENT_WRITES)
  }

  for (const rows of chunksOf(removed, MAX_ROWS)) {
    await store(() => removeRows(account.id, rows, time))
  }
  // Together, because they may have exchanged their paths.
  if (renamed.length > 0) await store(() => renameRows(account.id, renamed, isWatched, time))
  const lost = placeholders.filter(({ kind }) => kind === 'lost')
  // Together: that the account has no rows tells that they are lost.
  if (lost.length > 0) await store(() => addPlaceholders(account.id, lost))
  const others = placeholders.filter(({ kind }) => kind !== 'lost')
  for (const some of chunksOf(others, MAX_ROWS)) {
    await store(() => addPlaceholders(account.id, some))
  }
}

function* removeRows(
  account: string,
  rows: ListChanges['removed'],
  time: number
): Transaction<readonly NewEvent[]> {
  for (const { path, revision } of rows) yield* removeWatchedMailbox(account, path, revision)
  return rows.filter(isReported).map((row) => mailboxDeletedEvent(factsOf(account, row), time))
}

function* renameRows(
  account: string,
  renamed: ListChanges['renamed'],
  isWatched: WatchedPaths['isWatched'],
  time: number
): Transaction<readonly NewEvent[]> {
  const events: NewEvent[] = []
  for (const { row } of renamed) {
    yield* renameWatchedMailbox(account, row, { path: temporaryPath(row), special_use: null })
  }
  for (const { row, to } of renamed) {
    const { path, specialUse } = to
    const temporary = { path: temporaryPath(row), revision: row.revision + 1 }
    const renamedRow = { path, special_use: specialUse ?? null }
    yield* renameWatchedMailbox(account, temporary, renamedRow)
    const before = factsOf(account, row)
    const after = { ...before, path, specialUse, delimiter: to.delimiter }
    if (isReported(row)) events.push(mailboxDeletedEvent(before, time, path))
    if (isWatched(to)) events.push(mailboxNewEvent(after, time, row.path))
  }
  return events
}

function* addPlaceholders(
  account: string,
  placeholders: ListChanges['placeholders']
): Transaction<readonly NewEvent[]> {
  for (const { mailbox, kind } of placeholders) {
    const { path, specialUse, delimiter } = mailbox
    const details = formatDetails({ kind, flagsAt: 0, delimiter })
    yield* addPlaceholder({ account, path, special_use: specialUse ?? null, details })
  }
  return []
}

function temporaryPath({ path }: Pick<ListedRow, 'path'>): string {
  return TEMPORARY_PREFIX + path
}

/** Whether the account has seen events of the mailbox. */
function isReported({ details }: ListedRow): boolean {
  return parseDetails(details).kind !== 'unwatched'
}

function factsOf(account: string, row: ListedRow): MailboxFacts {
  const { path, special_use, uid_validity, details } = row
  const { delimiter } = parseDetails(details)
  const specialUse = special_use ?? undefined
  return { account, path, specialUse, uidValidity: uid_validity, delimiter }
}
