import type { LockHolder } from '../../../kernel/database/session-lock.ts'

/** Watches the mailboxes of accounts for changes, in one of the processes that share the tables. */
export interface Watcher {
  /** Looks for accounts to watch now: one was added, changed or removed. */
  wake: () => void
  /** Whether this process watches. */
  isHolder: () => boolean
  /** The process that watches, as last seen. */
  process: () => LockHolder | undefined
  /** Accounts that this process watches. */
  count: () => number
  /** Whether this process watches the account. */
  watches: (account: string) => boolean
  /** Stops watching an account until the returned function is called. */
  pause: (account: string) => Promise<() => void>
  stop: () => Promise<void>
}

/** Begins to watch as soon as there is an account to be watched. */
export interface WatchControl {
  /** The service listens. */
  start: () => void
  /** An account or a setting has changed. */
  wake: () => void
  /** Undefined until there is an account to be watched. */
  watcher: () => Watcher | undefined
  stop: () => Promise<void>
}
