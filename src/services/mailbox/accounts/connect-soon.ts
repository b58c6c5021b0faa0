import type { MailboxContext } from '../context.ts'
import type { Daemon } from '../daemon/daemon.ts'
import { isWatched } from '../watch/is-watched.ts'
import type { Account, AccountState } from './account.ts'

/** Attempts of one process at a time; further ones wait for the next request on their account. */
const MAX_ATTEMPTS = 20
const TIMEOUT_MS = 30_000

const attempts = new WeakMap<Daemon, Set<string>>()

/** A wrong password is tried again by commands and after changes only. */
const TRIED_STATES: readonly AccountState[] = ['init', 'connectError', 'disconnected']

/**
 * Tries to connect an account that is not connected, without waiting: clients read the state until
 * it is `connected`. Errors are part of the state, and soon after one no attempt is made. Accounts
 * that are watched are connected by what watches them.
 */
export function connectSoon(
  context: Pick<MailboxContext, 'options' | 'watch'>,
  daemon: Daemon,
  account: Account
): void {
  const { id, state } = account
  context.watch.wake()
  if (isWatched(context, account)) return
  const running = attempts.get(daemon) ?? new Set<string>()
  attempts.set(daemon, running)
  const isBusy = running.size >= MAX_ATTEMPTS || running.has(id)
  if (isBusy || !TRIED_STATES.includes(state)) return
  running.add(id)
  const command = { signal: AbortSignal.timeout(TIMEOUT_MS), timeoutMs: TIMEOUT_MS }
  daemon.connections
    .run(id, command, (client) => client.noop())
    .catch(() => {})
    .finally(() => running.delete(id))
}
