import type { Database } from '../database/database.ts'
import { storeUses } from './table.ts'

/** One write for the uses of all tokens within this time. */
const INTERVAL_MS = 60_000

/** When tokens were used last, without a write per request. */
export interface LastUses {
  note: (id: string, time: number) => void
  /** A use that is not stored yet. */
  get: (id: string) => number | undefined
  /** Stores what is not stored yet. */
  stop: () => Promise<void>
}

export function createLastUses(database: Database, warn: (text: string) => void): LastUses {
  /** As many as there are tokens at most. */
  const unstored = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let storing = Promise.resolve()

  async function store(): Promise<void> {
    timer = undefined
    const uses = [...unstored]
    if (uses.length === 0) return
    try {
      await database.write(() => storeUses(uses))
      for (const [id, time] of uses) if (unstored.get(id) === time) unstored.delete(id)
    } catch (error) {
      warn(`The last use of tokens was not stored: ${(error as Error).message}`)
    }
  }

  return {
    note(id, time) {
      unstored.set(id, time)
      timer ??= setTimeout(() => {
        storing = store()
      }, INTERVAL_MS).unref()
    },
    get: (id) => unstored.get(id),
    async stop() {
      clearTimeout(timer)
      await storing
      await store()
    }
  }
}
