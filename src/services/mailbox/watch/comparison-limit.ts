/** Comparisons that need not wait, after a quiet time. */
const BURST = 50
const INTERVAL_MS = 100

/**
 * Limits how often mailboxes of an account are compared or listed, because a server may tell of changes again
 * and again. Returns the milliseconds to wait before this one.
 */
export function createComparisonLimit(now: () => number = () => performance.now()): () => number {
  let end = 0
  return () => {
    const time = now()
    end = Math.max(end, time) + INTERVAL_MS
    return Math.max(0, end - time - BURST * INTERVAL_MS)
  }
}
