import type { ImapFlow } from 'imapflow'
import type { Account } from '../accounts/account.ts'
import type { MailboxContext } from '../context.ts'
import type { FolderHints } from '../messages/folders.ts'

/** A watched account and its connection, on which no request sends commands. */
export interface ChangeSession {
  readonly context: MailboxContext
  readonly client: ImapFlow
  readonly account: Account
  readonly hints: FolderHints
  /** Whether the mailboxes of the account were read before: otherwise they are read silently. */
  readonly isInitialized: boolean
  /** Unix milliseconds, instead of what the account says: mail before it is not announced. */
  readonly notifyFrom?: number | undefined
  /** Unix milliseconds: when its settings were changed, or a comparison was requested. */
  readonly changedAt?: number | undefined
  /** Unix milliseconds: without CONDSTORE, flags that were read earlier are read again. */
  readonly flagsSince?: number | undefined
  /**
   * The list of the server is wrong about these paths: it omits them, or has those of mailboxes that
   * are gone. Throws to try another connection.
   */
  readonly onFaultyList?: ((paths: readonly string[]) => void) | undefined
  /** Aborted when the account is no longer watched by this process. */
  readonly signal: AbortSignal
}
