import type { SecureContext } from 'node:tls'
import type { RateLimitState } from '../../kernel/rate-limit.ts'
import type { Kernel } from '../../kernel/service.ts'
import type { MailStore } from './sandbox/mail-store.ts'
import type { MailboxOptions } from './settings.ts'

/** What handlers of all protocols work with. */
export interface MailboxContext {
  readonly kernel: Kernel
  readonly options: MailboxOptions
  readonly store: MailStore
  /** For TLS of the mail server; its certificate is made with the first call. */
  readonly secureContext: () => Promise<SecureContext>
  /** Counts a new account, of whichever client. */
  readonly countNewAccount: () => RateLimitState
  /** Aborted before draining, for responses that wait for mail. */
  readonly stopping: AbortSignal
}
