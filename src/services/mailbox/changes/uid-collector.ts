/** Joins ranges of UIDs in any order, most of which come in ascending order. */
export interface UidCollector {
  add: (first: number, last: number) => void
  /** Sorted ranges without overlaps: the first and the last UID of each, one after the other. */
  ranges: () => Uint32Array
  /** Whether there were more ranges than a mailbox has; the others are ignored. */
  isFull: () => boolean
}

const MIN_BOUNDS = 64
/** Two of each range. */
const MAX_BOUNDS = 4 * 1024 * 1024

export function createUidCollector(): UidCollector {
  let bounds = new Uint32Array(MIN_BOUNDS)
  let length = 0
  let isSorted = true
  let isFull = false

  function append(first: number, last: number): void {
    if (length === bounds.length) {
      const larger = new Uint32Array(2 * length)
      larger.set(bounds)
      bounds = larger
    }
    bounds[length] = first
    bounds[length + 1] = last
    length += 2
  }

  function add(first: number, last: number): void {
    if (length === MAX_BOUNDS) {
      sort()
      // Otherwise a few ranges later all would be sorted again.
      isFull ||= length > MAX_BOUNDS / 2
    }
    const before = bounds[length - 1] ?? 0
    const isInOrder = length === 0 || first >= (bounds[length - 2] ?? 0)
    if (length > 0 && isInOrder && first <= before + 1) {
      if (last > before) bounds[length - 1] = last
    } else if (!isFull) {
      isSorted &&= isInOrder
      append(first, last)
    }
  }

  function sort(): void {
    if (isSorted) return
    const sorted = sortBounds(bounds.subarray(0, length))
    isSorted = true
    length = 0
    for (let at = 0; at < sorted.length; at += 2) add(sorted[at] ?? 0, sorted[at + 1] ?? 0)
  }

  return {
    add,
    ranges() {
      sort()
      return bounds.slice(0, length)
    },
    isFull: () => isFull
  }
}

/** Two UIDs of 32 bits are one number of 64. */
function sortBounds(bounds: Uint32Array): Uint32Array {
  const swapped = swapPairs(bounds)
  new BigUint64Array(swapped.buffer).sort()
  return swapPairs(swapped)
}

/** The last UID of a range is first in memory, because the lower half of a number is. */
function swapPairs(bounds: Uint32Array): Uint32Array<ArrayBuffer> {
  const swapped = new Uint32Array(bounds.length)
  for (let at = 0; at < bounds.length; at += 2) {
    swapped[at] = bounds[at + 1] ?? 0
    swapped[at + 1] = bounds[at] ?? 0
  }
  return swapped
}
