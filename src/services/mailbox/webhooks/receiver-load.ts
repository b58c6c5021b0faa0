/** An attempt that takes longer is slow. */
const SLOW_MS = 1_000
/** Running deliveries to a receiver before its first response. */
const MAX_UNKNOWN = 8
/** To one that is quick, if there are others: it may stop responding. */
const MAX_QUICK = 20
/** To one that is slow, and to all that are; above the latter each slow one has a single delivery. */
const MAX_SLOW = 12
const MAX_SLOW_OF_ALL = 16
/** To all that are slow or unknown; the rest of the slots is for quick receivers. */
const MOST_UNPROVEN = 20
const SHORTEST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 30_000
/** Receivers that are remembered. */
const MAX_RECEIVERS = 1_000

interface Load {
  /** Start times of running deliveries, the earliest first. */
  readonly running: Set<{ readonly startedAt: number }>
  /** Lanes whose delivery was postponed. */
  readonly waiting: Set<string>
  /** Of the last attempt; undefined before the first one has ended. */
  lastMs: number | undefined
}

export interface ReceiverLoad {
  /**
   * Counts a delivery to the host of the URL until `end` is called, or says how long it must wait:
   * a receiver that does not respond would otherwise get all slots, and stop the others.
   */
  begin: (url: string, lane: string) => { end: () => void } | { waitMs: number }
}

/** Of one process. `now` is in milliseconds. */
export function createReceiverLoad(
  now: () => number,
  random: () => number = Math.random
): ReceiverLoad {
  const loads = new Map<string, Load>()

  function loadOf(origin: string): Load {
    const load = loads.get(origin) ?? { running: new Set(), waiting: new Set(), lastMs: undefined }
    loads.delete(origin)
    loads.set(origin, load)
    for (const [other, { running }] of loads) {
      if (loads.size <= MAX_RECEIVERS) break
      if (running.size === 0) loads.delete(other)
    }
    return load
  }

  /** Of the last attempt, or of one that still runs if that is longer. */
  function durationOf({ running, lastMs = 0 }: Load): number {
    const [oldest] = running
    return Math.max(lastMs, oldest === undefined ? 0 : now() - oldest.startedAt)
  }

  const isSlow = (load: Load) => durationOf(load) > SLOW_MS
  const isQuick = (load: Load) => load.lastMs !== undefined && !isSlow(load)

  /** Running deliveries to others like `load`. */
  function runningOthers(load: Load, isLike: (other: Load) => boolean): number {
    const others = [...loads.values()].filter((other) => other !== load && isLike(other))
    return others.reduce((sum, { running }) => sum + running.size, 0)
  }

  function limitOf(load: Load): number {
    if (isQuick(load)) return loads.size > 1 ? MAX_QUICK : Infinity
    const unproven = runningOthers(load, (other) => !isQuick(other))
    const left = Math.max(MOST_UNPROVEN - unproven, 0)
    if (!isSlow(load)) return Math.min(MAX_UNKNOWN, left)
    const share = MAX_SLOW_OF_ALL - runningOthers(load, isSlow)
    return Math.min(Math.max(Math.min(MAX_SLOW, share), 1), left)
  }

  return {
    begin(url, lane) {
      const load = loadOf(new URL(url).origin)
      const limit = limitOf(load)
      if (load.running.size >= limit) {
        load.waiting.add(lane)
        const turns = load.waiting.size / Math.max(limit, 1)
        const pause = durationOf(load) * turns * (0.75 + random() / 2)
        return { waitMs: Math.min(Math.max(pause, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS) }
      }
      load.waiting.delete(lane)
      const delivery = { startedAt: now() }
      load.running.add(delivery)
      return {
        end() {
          load.running.delete(delivery)
          load.lastMs = now() - delivery.startedAt
          if (!isSlow(load)) load.waiting.clear()
        }
      }
    }
  }
}
