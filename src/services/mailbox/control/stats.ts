import { createRequire } from 'node:module'
import type { LockHolder } from '../../../kernel/database/session-lock.ts'
import { ACCOUNT_STATES } from '../accounts/account.ts'
import type { ApiRequest } from '../api/route.ts'
import type { MailboxContext } from '../context.ts'
import { readEventsSince } from '../store/event-counts.ts'
import { WATCH_LOCK } from '../watch/watch-lock.ts'
import { LICENSE } from './license.ts'
import { QUEUES, readQueue } from './queues.ts'

const SECOND_MS = 1000
const require = createRequire(import.meta.url)

function imapflowVersion(): string {
  const { version }: { version: string } = require('imapflow/package.json')
  return version
}

/** The process that watches the accounts; those that share the tables serve the same API. */
function presentWatcher({ pid, host, isThisProcess }: LockHolder): object {
  return { pid, host, isThisProcess }
}

/** Numbers of accounts by state, all states. */
export async function readStates(
  context: MailboxContext
): Promise<Readonly<Record<string, number>>> {
  const { accounts } = await context.daemon()
  const counted = await accounts.countStates()
  return Object.fromEntries(ACCOUNT_STATES.map((state) => [state, counted[state] ?? 0]))
}

export async function stats(
  context: MailboxContext,
  { query: { seconds } }: ApiRequest<{ readonly seconds: number }>
): Promise<object> {
  const { kernel } = context
  const since = kernel.now().getTime() - seconds * SECOND_MS
  const states = await readStates(context)
  const events = await kernel.database.read(() => readEventsSince(since))
  const queues = await Promise.all(QUEUES.map((queue) => readQueue(context, queue)))
  const watcher = await kernel.database.findLockHolder(WATCH_LOCK)
  return {
    version: kernel.version,
    license: LICENSE.type,
    accounts: Object.values(states).reduce((sum, count) => sum + count, 0),
    node: process.versions.node,
    imapflow: imapflowVersion(),
    // No account waits for a process of its own.
    connections: { ...states, unassigned: 0 },
    watcher: watcher === undefined ? null : presentWatcher(watcher),
    queues: Object.fromEntries(
      queues.map(({ queue, jobs, paused }) => {
        const total = jobs.active + jobs.delayed + jobs.waiting
        return [queue, { ...jobs, isPaused: paused, total }]
      })
    ),
    counters: Object.fromEntries(
      Object.entries(events).map(([name, count]) => [`events:${name}`, count])
    )
  }
}
