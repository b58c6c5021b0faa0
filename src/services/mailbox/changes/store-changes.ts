import { createWorkSlice } from '../../../kernel/work-slice.ts'
import { newMessagesAtOnce } from '../events/new-messages.ts'
import { EVENT_WRITES, type NewEvent, recordEvents } from '../events/record-events.ts'
import { storeWatchedMailbox } from '../store/watched-mailboxes.ts'
import { addedMessages } from './added-messages.ts'
import { deletedEvent, type EventMailbox, updatedEvent } from './change-events.ts'
import type { ChangeSession } from './change-session.ts'
import { chunksOf } from './chunks-of.ts'
import { filterUids, type UpdatedMessage } from './diff.ts'
import { formatDetails } from './mailbox-details.ts'
import { encodeIndex } from './message-index.ts'
import { findKnownMoves } from './moves.ts'
import type { MailboxSnapshot } from './open-snapshot.ts'
import type { Reading, RowValues } from './reading.ts'

/** Changes of indexed messages in one transaction. */
const MAX_CHANGES = 500

export interface ChangedMailbox extends Reading {
  readonly session: ChangeSession
  readonly mailbox: EventMailbox
  readonly snapshot: MailboxSnapshot
  /** Of the row that was read, 0 without one. */
  readonly revision: number
}

/**
 * Stores changes with their events, some at a time: each transaction has the index as it is after
 * them. After a crash the next comparison finds the others.
 */
export async function storeChanges(changed: ChangedMailbox): Promise<void> {
  const { session, mailbox, index, changes, isAnnounced, before, after } = changed
  const { database, now } = session.context.kernel
  const hasIndex = after.details.kind === 'full'
  let { revision } = changed
  let waiting: readonly NewEvent[] = changed.firstEvents

  async function store(events: readonly NewEvent[], values: RowValues): Promise<void> {
    session.signal.throwIfAborted()
    const bytes = await encodeIndex(index)
    const time = now().getTime()
    const stored = [...waiting, ...events]
    await database.write(function* () {
      yield* storeWatchedMailbox(session.account, {
        path: mailbox.path,
        uid_validity: values.uidValidity,
        uid_next: values.uidNext,
        highest_modseq: values.highestModseq,
        messages: values.messages,
        special_use: mailbox.specialUse ?? null,
        details: formatDetails(values.details),
        message_index: bytes,
        revision,
        compared_at: time
      })
      yield* recordEvents(stored, time)
    }, EVENT_WRITES)
    revision++
    waiting = []
  }

  const silent = await filterUids(changes.added, (uid) => !isAnnounced(uid))
  const announced = await filterUids(changes.added, isAnnounced)
  const indexed = chunksOf<IndexedChange>([...changes.deleted, ...changes.updated], MAX_CHANGES)
  const atOnce = await newMessagesAtOnce(session.context)
  const arrived = chunksOf(announced, atOnce)
  let left = indexed.length + arrived.length
  if (hasIndex) await setFlags(silent)
  if (left === 0) return store([], after)
  for (const part of indexed) {
    const events = await applyIndexed(part, revision)
    left--
    await store(events, left === 0 ? after : before)
  }
  for (const uids of arrived) {
    const { events, gone } = await addedMessages(session, mailbox, changed.snapshot, uids)
    if (hasIndex) await setFlags(uids.filter((uid) => !gone.has(uid)))
    left--
    const next = { ...before, uidNext: (uids.at(-1) ?? 0) + 1 }
    await store(events, left === 0 ? after : hasIndex ? before : next)
  }

  async function setFlags(uids: readonly number[]): Promise<void> {
    const slice = createWorkSlice()
    for (const uid of uids) {
      const { flags, labels } = changes.flagsOf(uid)
      index.set(uid, flags, labels)
      if (slice.isOver()) await slice.pause()
    }
  }

  /** Changes the index; the events of these changes. */
  async function applyIndexed(part: readonly IndexedChange[], number: number): Promise<NewEvent[]> {
    const uids = part.filter((one) => typeof one === 'number')
    const moves = await findKnownMoves(session, mailbox.number, uids)
    return part.map((one) => {
      if (typeof one === 'number') {
        index.delete(one)
        return deletedEvent(mailbox, one, moves)
      }
      index.set(one.uid, one.after.flags, one.after.labels)
      return updatedEvent(mailbox, one, { revision: number, time: now().getTime() })
    })
  }
}

/** Of a message of the index: its UID if it is gone, or its changed flags. */
type IndexedChange = number | UpdatedMessage
