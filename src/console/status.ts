import type { ProcessFacts } from './process-facts.ts'
import type { ServiceStatus } from './service-view.ts'

/** Figures of all services together. */
export interface Totals {
  running: number
  requests: number
  failed: number
  dataBytes: number
}

export type Statuses = ReadonlyMap<string, ServiceStatus>

export async function totalsOf(statuses: Statuses, facts: ProcessFacts): Promise<Totals> {
  const all = [...statuses.values()]
  const sum = (count: (status: ServiceStatus) => number) =>
    all.reduce((total, status) => total + count(status), 0)
  return {
    running: all.filter(({ state }) => state === 'running').length,
    requests: sum(({ activity }) => activity.requests),
    failed: sum(({ activity }) => activity.failed),
    dataBytes: await facts.dataBytes()
  }
}

/** What the script of the start page reads. */
export function describeStatus(statuses: Statuses, totals: Totals, { startedAt }: ProcessFacts) {
  return {
    ...totals,
    startedAt: startedAt.toISOString(),
    services: [...statuses].map(([name, { state, reason, activity }]) => ({
      name,
      state,
      reason: reason ?? null,
      ...activity
    }))
  }
}
