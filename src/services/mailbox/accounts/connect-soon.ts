import type { Daemon } from '../daemon/daemon.ts'
import type { Account, AccountState } from './account.ts'

/** Attempts of one process at a time; further ones wait for the next request on their account. */
const MAX_ATTEMPTS = 20
const TIMEOUT_MS = 30_000

const attempts = new WeakMap<Daemon, Set<string>>()

/** A wrong password is tried again by commands and after changes only. */
const TRIED_STATES: readonly AccountState[] = ['init', 'connectError', 'disconnected']

/**
 * Tries to connect an account that is not connected, without waiting: clients read the state until
 * it is `connected`. Errors are part of the state, and soon after one no attempt is made.
 */
export function connectSoon(daemon: Daemon, { id, state }: Account): void {
  const running = attempts.get(daemon) ?? new Set<string>()
  attempts.set(daemon, running)
  const isBusy = running.size >= MAX_ATTEMPTS || running.has(id)
  if (isBusy || !TRIED_STATES.includes(state)) return
  running.add(id)
  const options = { signal: AbortSignal.timeout(TIMEOUT_MS), timeoutMs: TIMEOUT_MS }
  daemon.connections
    .run(id, options, (client) => client.noop())
    .catch(() => {})
    .finally(() => running.delete(id))
}
