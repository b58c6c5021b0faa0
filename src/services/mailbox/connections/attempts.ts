import type { AccountState } from '../accounts/account.ts'
import { connectDelay, dropDelay, STABLE_MS } from './backoff.ts'
import { accountNotUsable } from './contract.ts'

/** Remembers how the connections of an account ended, to limit how often they are opened. */
export interface Attempts {
  /** Throws while no connection may be opened. */
  check: () => void
  /** Milliseconds until a connection may be opened; 0 if it may be now. */
  waitMs: () => number
  /** Returns the error for the request, with the time of the next attempt. */
  failed: (state: AccountState, reason: string) => Error
  /** A connection that was open for so long was lost, or closed because it did not respond. */
  lost: (openMs: number) => void
  /** A connection has worked. */
  succeeded: () => void
  /** Whether no error needs to be remembered. */
  isClean: () => boolean
}

export function createAttempts(now: () => number = () => performance.now()): Attempts {
  let errors = 0
  let drops = 0
  let notBefore = 0
  let state: AccountState = 'init'
  let reason: string | undefined

  return {
    waitMs: () => Math.max(0, notBefore - now()),
    check() {
      const waitMs = notBefore - now()
      if (waitMs > 0) throw accountNotUsable(state, reason, waitMs)
    },
    failed(newState, newReason) {
      errors++
      state = newState
      reason = newReason
      const delay = connectDelay(errors)
      notBefore = now() + delay
      return accountNotUsable(state, reason, delay)
    },
    lost(openMs) {
      errors = 0
      drops = openMs >= STABLE_MS ? 0 : drops + 1
      state = 'disconnected'
      reason = undefined
      notBefore = now() + dropDelay(drops)
    },
    succeeded() {
      errors = 0
      drops = 0
    },
    isClean: () => errors === 0 && drops === 0
  }
}
