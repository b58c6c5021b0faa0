import { setImmediate as nextTurn } from 'node:timers/promises'

/** Work without a pause; a turn of the event loop has that of several connections. */
const SLICE_MS = 8
/** Reading the clock for each item would take longer than most items. */
const ITEMS_PER_CHECK = 64

/** Divides long work on many small items, so that others get their turn of the event loop. */
export interface WorkSlice {
  /** To be called after each item: true if `pause` is to be awaited. */
  isOver: () => boolean
  pause: () => Promise<void>
}

export function createWorkSlice(itemsPerCheck = ITEMS_PER_CHECK): WorkSlice {
  let began = performance.now()
  let items = 0
  return {
    isOver() {
      items++
      if (items < itemsPerCheck) return false
      items = 0
      return performance.now() - began > SLICE_MS
    },
    async pause() {
      await nextTurn()
      began = performance.now()
    }
  }
}
