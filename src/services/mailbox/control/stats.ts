import { ACCOUNT_STATES } from '../accounts/account.ts'
import type { ApiRequest } from '../api/route.ts'
import type { MailboxContext } from '../context.ts'
import { readEventsSince } from '../store/event-counts.ts'
import { LICENSE } from './license.ts'
import { QUEUE, readQueue } from './queues.ts'

const SECOND_MS = 1000

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
  const { jobs, paused } = await readQueue(context)
  const total = jobs.active + jobs.delayed + jobs.waiting
  return {
    version: kernel.version,
    license: LICENSE.type,
    accounts: Object.values(states).reduce((sum, count) => sum + count, 0),
    node: process.versions.node,
    connections: states,
    queues: { [QUEUE]: { ...jobs, isPaused: paused, total } },
    counters: Object.fromEntries(
      Object.entries(events).map(([name, count]) => [`events:${name}`, count])
    )
  }
}
