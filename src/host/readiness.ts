import type { Database } from '../kernel/database/database.ts'

/** How soon a change is logged if no probe asks. */
const INTERVAL_MS = 5_000

export interface Readiness {
  /** Why requests of a service cannot be handled at the moment; undefined if all can. */
  problem: () => Promise<string | undefined>
  /** The same by service, for all that have a problem. */
  problems: () => Promise<ReadonlyMap<string, string>>
  stop: () => Promise<void>
}

interface Watched {
  service: { name: string }
  database: Pick<Database, 'unavailable'> | undefined
}

/** Logs once when a database becomes unavailable, and once when it is available again. */
export function watchDatabases(
  services: readonly Watched[],
  warn: (text: string) => void
): Readiness {
  const reasons = new Map<string, string>()
  let stopped = false

  function note(name: string, reason: string | undefined): void {
    const isKnown = reasons.has(name)
    if (reason === undefined) reasons.delete(name)
    else reasons.set(name, reason)
    if (stopped || isKnown === (reason !== undefined)) return
    warn(
      reason === undefined
        ? `${name}: the database is available again`
        : `${name}: the database is unavailable: ${reason}; requests that need it fail until it is back`
    )
  }

  async function problems(): Promise<ReadonlyMap<string, string>> {
    await Promise.all(
      services.map(async ({ service: { name }, database }) =>
        note(name, await database?.unavailable())
      )
    )
    return reasons
  }

  const timer = setInterval(problems, INTERVAL_MS).unref()
  return {
    async problem() {
      const [first] = await problems()
      return first?.join(': ')
    },
    problems,
    async stop() {
      stopped = true
      clearInterval(timer)
    }
  }
}
