import type { ImapIndexer } from '../accounts/account.ts'
import type { NewEvent } from '../events/record-events.ts'
import { filterUids } from './diff.ts'
import { createFound, type FoundChanges } from './find-changes.ts'
import { parseDetails } from './mailbox-details.ts'
import { mailboxNewEvent, mailboxResetEvent } from './mailbox-events.ts'
import { createMessageIndex } from './message-index.ts'
import { findArrivals, notifyFromOf, wholeSeconds } from './notify-from.ts'
import { readAllMessages } from './read-lists.ts'
import { type OpenedMailbox, type Reading, valuesOf } from './reading.ts'
import { searchAllUids } from './search-all.ts'
import { uidsOf } from './uid-ranges.ts'

/** Between a change of an account and the list that follows from it. */
const MAX_DELAY_MS = 10_000

/**
 * Reads a mailbox without an index that could be compared. `isKnown`: there is one, of messages with
 * another UIDVALIDITY. Mail is announced only if the mailbox is new or newly watched, and as far as
 * it arrived since.
 */
export async function firstReading(
  opened: OpenedMailbox,
  isKnown: boolean,
  kind: ImapIndexer
): Promise<Reading> {
  const { session, snapshot } = opened
  const { client, context } = session
  const { delimiter } = snapshot
  const details = { kind, flagsAt: context.kernel.now().getTime(), delimiter }
  const after = valuesOf(snapshot, details)
  const since = announcedSince(opened)
  const isSilent = since === undefined || snapshot.exists === 0
  // Before the search for those to announce: what arrives meanwhile is left to the next comparison.
  const all = kind === 'full' ? await readAll(opened) : undefined
  const arrivals = isSilent ? undefined : await findArrivals(client, since)
  const firstNew = firstNewUid(opened, isKnown)
  return {
    index: createMessageIndex(),
    before: { ...after, uidNext: 0, messages: 0, highestModseq: null },
    after,
    // An index of the kind `fast` has no messages.
    changes: all ?? createFound({ added: [...(arrivals ?? [])].sort((a, b) => a - b) }),
    isAnnounced: (uid) => arrivals?.has(uid) === true || uid >= firstNew,
    firstEvents: firstEvents(opened, isKnown, details.flagsAt)
  }
}

/** The row of a damaged index still tells which messages came since. */
function firstNewUid({ row, snapshot }: OpenedMailbox, isKnown: boolean): number {
  const isDamaged = row !== undefined && !isKnown && parseDetails(row.details).kind === 'full'
  const isSame = isDamaged && row.uid_validity === snapshot.uidValidity && row.uid_next > 0
  return isSame ? row.uid_next : Number.POSITIVE_INFINITY
}

/** A mailbox that was not watched before is watched since the account was changed. */
function announcedSince({ session, row }: OpenedMailbox): number | undefined {
  if (row === undefined) return notifyFromOf(session)
  if (parseDetails(row.details).kind !== 'unread') return undefined
  const time = session.context.kernel.now().getTime()
  const changedAt = Math.max(session.changedAt ?? 0, time - MAX_DELAY_MS)
  return Math.max(notifyFromOf(session), wholeSeconds(changedAt))
}

async function readAll({ session: { client }, snapshot }: OpenedMailbox): Promise<FoundChanges> {
  const present = createMessageIndex()
  if (snapshot.exists === 0) return createFound({}, present)
  const uids = await searchAllUids(client, snapshot)
  await readAllMessages(client, uids, present)
  // Those that came after the mailbox was selected; some servers do not tell the next UID.
  const isLater = (uid: number) => snapshot.uidNext > 0 && uid >= snapshot.uidNext
  const added = await filterUids(uidsOf(uids), (uid) => present.has(uid) && !isLater(uid))
  return createFound({ added }, present, true)
}

function firstEvents(
  { session, state, row, snapshot }: OpenedMailbox,
  isKnown: boolean,
  time: number
): readonly NewEvent[] {
  const { path, specialUse } = state
  const { uidValidity, delimiter, exists } = snapshot
  const facts = { account: session.account.id, path, specialUse, uidValidity, delimiter }
  if (row === undefined) return session.isInitialized ? [mailboxNewEvent(facts, time)] : []
  if (isKnown) return [mailboxResetEvent(facts, time, 'uidValidityChange', row.uid_validity)]
  const isLost = parseDetails(row.details).kind !== 'unread' && exists > 0
  return isLost ? [mailboxResetEvent(facts, time, 'syncStateLost', undefined)] : []
}
