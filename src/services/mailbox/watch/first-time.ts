import type { Transaction } from '../../../kernel/database/transaction.ts'
import type { Account } from '../accounts/account.ts'
import { detailsOf, findWatchedAccount, setWantedFrom } from '../store/watched-accounts.ts'

/** An account of the sandbox is watched at most this long after its events are first needed. */
const DELAY_MS = 10_000

export interface FirstTime {
  readonly isInitialized: boolean
  /** Unix milliseconds: earlier mail is not reported by the first reading of a mailbox. */
  readonly notifyFrom: number
  /** Unix milliseconds: when a comparison of all mailboxes was last requested; 0 if never. */
  readonly syncAt: number
}

/**
 * Since when mail of an account is reported. Accounts of the sandbox are not watched until their
 * events are needed; then the time is stored.
 */
export function* readFirstTime(account: Account, time: number): Transaction<FirstTime> {
  const row = yield* findWatchedAccount(account.id)
  const isInitialized = row !== undefined && row.initialized_at !== null
  const { notifyFrom } = account.settings
  let { wantedFrom } = detailsOf(row)
  if (wantedFrom === undefined && account.isSandbox && !isInitialized) {
    wantedFrom = time - DELAY_MS
    yield* setWantedFrom(account.id, wantedFrom)
  }
  return {
    isInitialized,
    syncAt: row?.sync_at ?? 0,
    notifyFrom:
      notifyFrom === undefined
        ? Math.max(account.createdAt, wantedFrom ?? 0)
        : Date.parse(notifyFrom)
  }
}
