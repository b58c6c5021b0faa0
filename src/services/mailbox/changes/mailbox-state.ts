import type { MailboxStatus } from './needs-comparison.ts'

/** The server's own view of a mailbox, as LIST-STATUS, STATUS or NOTIFY tells it. */
export interface MailboxState {
  readonly path: string
  readonly specialUse: string | undefined
  readonly status?: MailboxStatus | undefined
  /** The server told of a change, which may be of flags. */
  readonly isNoticed?: boolean | undefined
}
