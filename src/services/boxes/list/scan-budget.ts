import { setImmediate } from 'node:timers/promises'
import { ScanTooLong } from '../contract.ts'

const MAX_SLICE = 500
const MIN_SLICE = 10
/** Target duration of a slice, which blocks the event loop. */
const SLICE_MS = 10

/** The size of the slices of a scan, and its time limit. */
export interface ScanBudget {
  /** Number of records in the next slice. */
  slice: number
  /** Slices are not larger than this, however quick the filter is. */
  maxSlice: number
  /** Whether the next slice is read with texts; false saves time and memory if they are not used. */
  readsTexts: boolean
  /** To be called if what preceded was done by another process and did not block. */
  startSlice: () => void
  /** To be called between two slices: yields, or throws if the time limit is exceeded. */
  yieldToEventLoop: () => Promise<void>
}

/** Slices get smaller if the filter is slow, so that the event loop is not blocked for long. */
export function createScanBudget(budgetMs: number): ScanBudget {
  const started = performance.now()
  let sliceStarted = started
  const budget: ScanBudget = {
    readsTexts: true,
    slice: MAX_SLICE,
    maxSlice: MAX_SLICE,
    startSlice() {
      sliceStarted = performance.now()
    },
    async yieldToEventLoop() {
      const now = performance.now()
      if (now - started > budgetMs) throw new ScanTooLong()
      const wanted = Math.round((budget.slice * SLICE_MS) / Math.max(now - sliceStarted, 0.1))
      budget.slice = Math.max(MIN_SLICE, Math.min(budget.maxSlice, wanted))
      await setImmediate()
      sliceStarted = performance.now()
    }
  }
  return budget
}
