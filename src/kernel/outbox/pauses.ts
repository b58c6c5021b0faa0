/** Pauses that can be ended together. */
export interface Pauses {
  pause: (durationMs: number) => Promise<void>
  endAll: () => void
}

export function createPauses(): Pauses {
  const ends = new Set<() => void>()
  return {
    pause(durationMs) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, durationMs)
      ends.add(resolve)
      return promise.finally(() => {
        clearTimeout(timer)
        ends.delete(resolve)
      })
    },
    endAll() {
      for (const end of ends) end()
    }
  }
}

const FIRST_RETRY_MS = 250
const LONGEST_RETRY_MS = 5_000

/** Milliseconds until the database is tried again, after a number of earlier errors in a row. */
export function retryPause(earlierErrors: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** earlierErrors, LONGEST_RETRY_MS)
}
