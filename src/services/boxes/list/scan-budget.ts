import { setImmediate } from 'node:timers/promises'
import { ScanTooLong } from '../contract.ts'

const MAX_SLICE = 500
const MIN_SLICE = 10
/** How long a slice may keep others waiting. */
const SLICE_MS = 10

/** How much of a scan is done at a time, and when it has taken too long. */
export interface ScanBudget {
  /** Records to look at in one go. */
  readonly slice: number
  /** Between two slices: lets others have their turn, and gives up when the budget is spent. */
  yieldToEventLoop: () => Promise<void>
}

/** Slices shrink when a filter turns out to be dear, so that nobody waits long for it. */
export function createScanBudget(budgetMs: number): ScanBudget {
  const started = performance.now()
  let sliceStarted = started
  let slice = MAX_SLICE
  return {
    get slice() {
      return slice
    },
    async yieldToEventLoop() {
      const now = performance.now()
      if (now - started > budgetMs) throw new ScanTooLong()
      const wanted = Math.round((slice * SLICE_MS) / Math.max(now - sliceStarted, 0.1))
      slice = Math.max(MIN_SLICE, Math.min(MAX_SLICE, wanted))
      await setImmediate()
      sliceStarted = performance.now()
    }
  }
}
