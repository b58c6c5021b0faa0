/**
 * `full`: the index has all messages. `fast`: it has none, only new messages are found.
 * `unwatched`: the account wants no events of the mailbox. `unread`: it is to be read without
 * events, because it was unwatched before. `lost`: what was stored is gone.
 */
export type IndexKind = 'full' | 'fast' | 'unwatched' | 'unread' | 'lost'

/** `details` of `watched_mailboxes`. */
export interface MailboxDetails {
  readonly kind: IndexKind
  /** Unix milliseconds: when all flags were read last. */
  readonly flagsAt: number
  /** Between the levels of the path. */
  readonly delimiter?: string | undefined
}

const KINDS: readonly unknown[] = [
  'full',
  'fast',
  'unwatched',
  'unread',
  'lost'
] satisfies IndexKind[]

const LOST: MailboxDetails = { kind: 'lost', flagsAt: 0 }

/** What cannot be read counts as lost. */
export function parseDetails(json: string): MailboxDetails {
  try {
    const { kind, flagsAt, delimiter } = JSON.parse(json)
    const isValid = KINDS.includes(kind) && Number.isFinite(flagsAt)
    return isValid ? { kind, flagsAt, delimiter } : LOST
  } catch {
    return LOST
  }
}

export function formatDetails({ kind, flagsAt, delimiter }: MailboxDetails): string {
  return JSON.stringify({ kind, flagsAt, delimiter })
}
