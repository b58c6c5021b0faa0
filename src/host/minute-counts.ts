/** Minutes that are kept, including the current one. */
const MINUTES = 15
const MINUTE_MS = 60_000

export interface MinuteCounts {
  /** Counts one event at `now`, in milliseconds; times never decrease. */
  add: (now: number) => void
  /** Counts of the last minutes, the oldest first and the current one last. */
  read: (now: number) => number[]
}

/** Counts events per minute in a ring, so that counting allocates no memory. */
export function createMinuteCounts(): MinuteCounts {
  const ring = new Float64Array(MINUTES)
  let latest = 0

  /** Clears the minutes that have passed without an event. */
  function advanceTo(minute: number): void {
    const passed = Math.min(minute - latest, MINUTES)
    for (let back = 0; back < passed; back++) ring[(minute - back) % MINUTES] = 0
    latest = minute
  }

  return {
    add(now) {
      const minute = Math.floor(now / MINUTE_MS)
      if (minute > latest) advanceTo(minute)
      const index = latest % MINUTES
      ring[index] = (ring[index] ?? 0) + 1
    },
    read(now) {
      const minute = Math.floor(now / MINUTE_MS)
      if (minute > latest) advanceTo(minute)
      return Array.from(ring, (_, index) => ring[(latest + 1 + index) % MINUTES] ?? 0)
    }
  }
}
