import type { ImapIndexer } from '../accounts/account.ts'
import type { WatchedMailboxRow } from '../store/watched-mailboxes.ts'
import type { ChangeSession } from './change-session.ts'
import { type FoundChanges, findChanges, findNewMessages } from './find-changes.ts'
import { parseDetails } from './mailbox-details.ts'
import { createMessageIndex, type MessageIndex } from './message-index.ts'
import { notifyFromOf } from './notify-from.ts'
import { readArrivals } from './read-dates.ts'
import { type OpenedMailbox, type Reading, type RowValues, valuesOf } from './reading.ts'
import { rangesOf } from './uid-ranges.ts'

/** Compares a mailbox with its index; undefined if nothing has changed. */
export async function nextReading(
  { session, state, snapshot }: OpenedMailbox,
  row: WatchedMailboxRow,
  index: MessageIndex,
  kind: ImapIndexer
): Promise<Reading | undefined> {
  const { client, context } = session
  const time = context.kernel.now().getTime()
  const details = parseDetails(row.details)
  const isSameKind = details.kind === kind
  const before = { ...rowValues(row), details: { ...details, kind } }
  const isNoticed = state.isNoticed === true
  const comparison = { client, snapshot, time, isNoticed, flagsSince: session.flagsSince }
  // The index of the other kind has no messages.
  const highestModseq = isSameKind ? before.highestModseq : null
  const stored = { ...before, index, highestModseq, details }
  const changes =
    kind === 'fast'
      ? await findNewMessages({ client, snapshot, stored })
      : await findChanges({ ...comparison, stored })
  const flagsAt = changes.hasAllFlags ? time : details.flagsAt
  const after = {
    ...valuesOf(snapshot, { ...before.details, flagsAt }),
    // Some servers do not tell the next UID.
    ...(snapshot.uidNext === 0 && kind === 'fast' && { uidNext: nextUid(before, changes) })
  }
  const isPlain = after.highestModseq === null && kind === 'full'
  const isSame = isSameKind && isEqual(before, after) && isEmpty(changes)
  if (isSame && !(isPlain && changes.hasAllFlags)) return undefined
  const isAnnounced = await announcedOf(session, row, changes.added)
  return {
    index: kind === 'fast' ? createMessageIndex() : index,
    before,
    after,
    changes,
    isAnnounced: (uid) => isAnnounced(uid) && (isSameKind || uid >= row.uid_next),
    firstEvents: []
  }
}

function rowValues(row: WatchedMailboxRow): Omit<RowValues, 'details'> {
  return {
    uidValidity: row.uid_validity,
    uidNext: row.uid_next,
    messages: row.messages,
    highestModseq: row.highest_modseq
  }
}

function nextUid({ uidNext }: RowValues, { added }: FoundChanges): number {
  return Math.max(uidNext, (added.at(-1) ?? 0) + 1)
}

function isEqual(before: RowValues, after: RowValues): boolean {
  return (
    before.uidNext === after.uidNext &&
    before.messages === after.messages &&
    before.highestModseq === after.highestModseq
  )
}

function isEmpty({ added, deleted, updated }: FoundChanges): boolean {
  return added.length + deleted.length + updated.length === 0
}

/**
 * What appears in a mailbox that was stored after `notifyFrom` came after it. The date of a message
 * does not tell: one that was moved or copied keeps that of its arrival.
 */
async function announcedOf(
  session: ChangeSession,
  { compared_at }: WatchedMailboxRow,
  added: readonly number[]
): Promise<(uid: number) => boolean> {
  const notifyFrom = notifyFromOf(session)
  if (added.length === 0 || compared_at >= notifyFrom) return () => true
  const arrivals = await readArrivals(session.client, rangesOf(added), notifyFrom)
  return (uid) => arrivals.has(uid)
}
