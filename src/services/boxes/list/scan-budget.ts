import { setImmediate } from 'node:timers/promises'
import { ScanTooLong } from '../contract.ts'
import type { Row } from '../store/scan.ts'
import { sizeOf } from './read-records.ts'

const MAX_SLICE = 500
/** Size of the first slice, read before the size of records is known. */
const FIRST_SLICE = 100
/** Target size of the texts of a slice. */
const SLICE_BYTES = 256 * 1024
const MIN_SLICE = 10
/** Target duration of a slice, which blocks the event loop. */
const SLICE_MS = 10

/** The size of the slices of a scan, and its time limit. */
export interface ScanBudget {
  /** Number of records in the next slice. */
  readonly slice: number
  /** Whether the next slice is read with texts; false saves time and memory if they are not used. */
  readsTexts: boolean
  /**
   * To be called between two slices: yields, or throws if the time limit is exceeded. The next slice
   * is smaller if the rows were long.
   */
  yieldToEventLoop: (rows?: readonly Row[]) => Promise<void>
}

/** Slices get smaller if the filter is slow, so that the event loop is not blocked for long. */
export function createScanBudget(budgetMs: number): ScanBudget {
  const started = performance.now()
  let sliceStarted = started
  let slice = FIRST_SLICE
  return {
    readsTexts: true,
    get slice() {
      return slice
    },
    async yieldToEventLoop(rows = []) {
      const now = performance.now()
      if (now - started > budgetMs) throw new ScanTooLong()
      const byTime = (slice * SLICE_MS) / Math.max(now - sliceStarted, 0.1)
      const byBytes = this.readsTexts ? rows.length * (SLICE_BYTES / sizeOf(rows)) : MAX_SLICE
      const wanted = rows.length === 0 ? byTime : Math.min(byTime, byBytes)
      slice = Math.max(MIN_SLICE, Math.min(MAX_SLICE, Math.round(wanted)))
      await setImmediate()
      sliceStarted = performance.now()
    }
  }
}
