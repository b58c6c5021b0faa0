import { createFixedWindowCounter } from '../../../kernel/fixed-window.ts'
import type { Window } from '../store/counters.ts'

const MAX_KEYS = 10_000
/** Counts of public mode start again after this time, so that an example can be repeated. */
const FORGET_AFTER_MS = 300_000

/** Counts of public mode, by IP address of the client, in memory. */
export interface PublicCounters {
  count: (name: string) => number
  countWithin: (name: string, width: number) => Window
  clear: () => void
}

export function createPublicCounters(now: () => Date): PublicCounters {
  const windows = createFixedWindowCounter(now, MAX_KEYS)
  return {
    count: (name) => windows.count(name, FORGET_AFTER_MS).count,
    countWithin(name, width) {
      const { count, endsAt } = windows.count(`${name} within ${width}`, width)
      return { n: count, since: endsAt - width }
    },
    clear: windows.clear
  }
}
