import type { SecureContext } from 'node:tls'
import type { RateLimitState } from '../../kernel/rate-limit.ts'
import type { Kernel } from '../../kernel/service.ts'
import type { SettingStore } from './control/setting-store.ts'
import type { Daemon } from './daemon/daemon.ts'
import type { MailStore } from './sandbox/mail-store.ts'
import type { MailboxOptions } from './settings.ts'
import type { WatchControl } from './watch/watcher.ts'

/** What handlers of all protocols work with. */
export interface MailboxContext {
  readonly kernel: Kernel
  readonly options: MailboxOptions
  readonly store: MailStore
  /** Settings of `/v1/settings`; the daemon has the same. */
  readonly settings: () => Promise<SettingStore>
  /** Loaded with its first use, because most starts need only the sandbox. */
  readonly daemon: () => Promise<Daemon>
  /** Watches accounts for changes. */
  readonly watch: WatchControl
  /** Unix milliseconds; what an earlier process knew about connections is older. */
  readonly startedAt: number
  /** For TLS of the mail server; its certificate is made with the first call. */
  readonly secureContext: () => Promise<SecureContext>
  /** Counts a new account, of whichever client. */
  readonly countNewAccount: () => RateLimitState
  /** Aborted before draining, for responses that wait for mail. */
  readonly stopping: AbortSignal
}
