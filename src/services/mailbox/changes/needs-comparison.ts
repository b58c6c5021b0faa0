import type { WatchedMailboxRow } from '../store/watched-mailboxes.ts'
import { parseDetails } from './mailbox-details.ts'

/** What STATUS, LIST-STATUS or NOTIFY tells of a mailbox; servers may leave items out. */
export interface MailboxStatus {
  readonly messages?: number | undefined
  readonly uidNext?: number | undefined
  readonly uidValidity?: bigint | number | string | undefined
  readonly highestModseq?: bigint | number | string | undefined
}

/** Without CONDSTORE changes of flags leave no trace in the status: they are read so often. */
const MAX_FLAGS_AGE_MS = 30 * 60_000

export type StatusRow = Pick<
  WatchedMailboxRow,
  'uid_validity' | 'uid_next' | 'highest_modseq' | 'messages' | 'details'
>

/** False if the mailbox is as it was when it was stored, as far as its status can tell. */
export function needsComparison(
  row: StatusRow | undefined,
  status: MailboxStatus | undefined,
  time: number,
  flagsSince = 0
): boolean {
  if (row === undefined || status === undefined) return true
  if (row.uid_validity === '') return true
  const { messages, uidNext, uidValidity, highestModseq } = status
  if (uidValidity === undefined || String(uidValidity) !== row.uid_validity) return true
  // Some servers have the same HIGHESTMODSEQ after a message was removed.
  if (uidNext !== row.uid_next || messages !== row.messages) return true
  const { kind, flagsAt } = parseDetails(row.details)
  if (kind === 'fast') return false
  if (row.highest_modseq !== null && highestModseq !== undefined) {
    return String(highestModseq) !== row.highest_modseq
  }
  return isOld(flagsAt, time, flagsSince)
}

/** Whether flags that were read at a time are to be read again, though nothing tells of changes. */
export function isOld(flagsAt: number, time: number, flagsSince = 0): boolean {
  return time - flagsAt >= MAX_FLAGS_AGE_MS || flagsAt < flagsSince
}
