import type { Account, AccountError, AccountState, AccountStore } from '../accounts/account.ts'
import type { ConnectError } from './connect.ts'

/** After the same sign-in error for so long IMAP is disabled: more attempts would not succeed. */
const DISABLE_AFTER_MS = 3 * 24 * 60 * 60_000

/** Stores the states of an account, in their order. */
export interface AccountStates {
  connecting: () => void
  /** Signed in; mailboxes are compared. */
  syncing: () => Promise<void>
  connected: () => Promise<void>
  failed: (error: ConnectError) => Promise<void>
  lost: () => void
}

export function createAccountStates(
  accounts: Pick<AccountStore, 'setState' | 'save'>,
  { id, state, lastError, revision }: Account,
  now: () => Date
): AccountStates {
  let stored = state
  let error = lastError
  let written: Promise<unknown> = Promise.resolve()

  /**
   * Errors of the database are ignored, because the command itself may succeed. An attempt with
   * earlier settings changes nothing, because its revision is not that of the account.
   */
  function store(next: AccountState, nextError: AccountError | undefined): Promise<unknown> {
    stored = next
    error = nextError
    written = written.then(() => accounts.setState(id, next, nextError, revision)).catch(() => {})
    return written
  }

  function since(next: AccountError): string {
    const isSame = error !== undefined && isSameError(error, next)
    return (isSame ? error?.since : undefined) ?? now().toISOString()
  }

  return {
    connecting() {
      if (stored !== 'connected') void store('connecting', error)
    },
    async syncing() {
      await store('syncing', undefined)
    },
    async connected() {
      const wasConnected = stored === 'connected'
      const done = store('connected', undefined)
      if (!wasConnected) await done
    },
    async failed(problem) {
      const next = { ...problem.error, since: since(problem.error) }
      await store(problem.state, next)
      const seenMs = now().getTime() - Date.parse(next.since)
      if (problem.state !== 'authenticationError' || seenMs < DISABLE_AFTER_MS) return
      await disableImap(accounts, id, revision)
        .then(() => accounts.setState(id, 'unset', next))
        .catch(() => {})
    },
    lost() {
      void store('disconnected', undefined)
    }
  }
}

/** What watches an account stores its states; commands store those of other accounts. */
export function unwatchedStates(states: AccountStates, isWatched: () => boolean): AccountStates {
  return {
    connecting() {
      if (!isWatched()) states.connecting()
    },
    async syncing() {
      if (!isWatched()) await states.syncing()
    },
    async connected() {
      if (!isWatched()) await states.connected()
    },
    async failed(error) {
      if (!isWatched()) await states.failed(error)
    },
    lost() {
      if (!isWatched()) states.lost()
    }
  }
}

/** Whether both tell of the same problem: texts may differ if there is a code. */
export function isSameError(one: AccountError, other: AccountError): boolean {
  return (
    one.serverResponseCode === other.serverResponseCode &&
    (other.serverResponseCode !== undefined || one.response === other.response)
  )
}

class AccountGone extends Error {}

/** Not if the settings have changed since. */
async function disableImap(
  accounts: Pick<AccountStore, 'save'>,
  id: string,
  revision: number
): Promise<void> {
  await accounts.save(id, (stored) => {
    const isSame = stored?.account.revision === revision
    if (stored === undefined || !isSame || !stored.account.settings.imap) throw new AccountGone()
    const { account, secrets } = stored
    const imap = { ...stored.account.settings.imap, disabled: true }
    return { account: { ...account, settings: { ...account.settings, imap } }, secrets }
  })
}
