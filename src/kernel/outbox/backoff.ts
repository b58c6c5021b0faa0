const FIRST_MS = 1_000
const LONGEST_MS = 60 * 60_000

/**
 * Milliseconds from a failed attempt, counted from 1, to the next one: twice as long each time, up
 * to an hour. Half of it is random, so that jobs that failed together are not repeated together.
 */
export function defaultBackoff(attempt: number, random: () => number = Math.random): number {
  const longest = Math.min(FIRST_MS * 2 ** (attempt - 1), LONGEST_MS)
  return Math.round(longest / 2 + (longest / 2) * random())
}
