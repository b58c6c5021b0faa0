import type { NewEvent } from '../events/record-events.ts'
import type { WatchedMailboxRow } from '../store/watched-mailboxes.ts'
import type { ChangeSession } from './change-session.ts'
import type { FoundChanges } from './find-changes.ts'
import type { MailboxDetails } from './mailbox-details.ts'
import type { MailboxState } from './mailbox-state.ts'
import type { MessageIndex } from './message-index.ts'
import type { MailboxSnapshot } from './open-snapshot.ts'

/** A selected mailbox, and what is stored about it. */
export interface OpenedMailbox {
  readonly session: ChangeSession
  readonly state: MailboxState
  readonly row: WatchedMailboxRow | undefined
  readonly snapshot: MailboxSnapshot
}

/** What the row of a mailbox has besides its index. */
export interface RowValues {
  readonly uidValidity: string
  readonly uidNext: number
  readonly messages: number
  readonly highestModseq: string | null
  readonly details: MailboxDetails
}

/** The result of reading a mailbox: what is to be stored. */
export interface Reading {
  /** As it was before the changes. */
  readonly index: MessageIndex
  /** Values of the row until all changes are stored, so that the rest is found again. */
  readonly before: RowValues
  readonly after: RowValues
  readonly changes: FoundChanges
  /** Whether an added message has an event; those without are stored first. */
  readonly isAnnounced: (uid: number) => boolean
  /** Stored with the first changes. */
  readonly firstEvents: readonly NewEvent[]
}

export function valuesOf(snapshot: MailboxSnapshot, details: MailboxDetails): RowValues {
  return {
    uidValidity: snapshot.uidValidity,
    uidNext: snapshot.uidNext,
    messages: snapshot.exists,
    highestModseq: snapshot.highestModseq ?? null,
    details
  }
}
