import type { Database } from '../database/database.ts'
import { removeEnded } from './history.ts'

const DAY_MS = 24 * 60 * 60_000
/** How long jobs are stored after their end, by state. */
const KEPT_MS = { done: 7 * DAY_MS, dead: 30 * DAY_MS, removed: 0 }
/** Small, because SQLite runs nothing else meanwhile. */
const BATCH = 200
const PAUSE_MS = 25
const FIRST_MS = 60_000
const REPEAT_MS = 10 * 60_000

/** Removes the jobs that ended long ago, in many small transactions. */
export async function removeOldJobs(
  database: Database,
  now: number,
  isStopped: () => boolean = () => false
): Promise<number> {
  const { engine } = database
  let count = 0
  for (const [state, keptMs] of Object.entries(KEPT_MS)) {
    let removed = BATCH
    while (removed === BATCH && !isStopped()) {
      removed = await database.write(() => removeEnded(engine, state, now - keptMs, BATCH), {
        frees: true,
        readsCommitted: true
      })
      count += removed
      if (removed === BATCH) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }
  return count
}

/** `stop` waits for the transaction that has begun. */
export function repeatRetention(
  database: Database,
  now: () => number,
  warn: (text: string) => void
): { stop: () => Promise<void> } {
  let isStopped = false
  let running: Promise<unknown> = Promise.resolve()
  let timer = setTimeout(run, FIRST_MS).unref()

  function run(): void {
    running = removeOldJobs(database, now(), () => isStopped).catch((error) => {
      warn(`Old jobs of the outbox cannot be removed: ${error.message}`)
    })
    timer = setTimeout(run, REPEAT_MS).unref()
  }

  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
    }
  }
}
