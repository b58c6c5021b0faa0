import type { Account, AccountStore } from '../accounts/account.ts'
import type { MailServer } from '../accounts/servers.ts'
import type { Connections } from '../connections/connections.ts'
import type { SettingStore } from '../control/setting-store.ts'
import type { EventFeed } from '../events/feed.ts'

/** What the REST API on mail accounts works with; loaded with its first request or job. */
export interface Daemon {
  readonly accounts: AccountStore
  readonly settings: SettingStore
  readonly connections: Connections
  readonly events: EventFeed
  /** Undefined if the account has no such server. */
  readonly serverOf: (account: Account, protocol: 'imap' | 'smtp') => MailServer | undefined
  readonly stop: () => Promise<void>
}
