/** When the next connection of an account may be opened, so that no server is called too often. */

const CONNECT_FIRST_MS = 2000
const CONNECT_LONGEST_MS = 10 * 60_000
const DROP_FIRST_MS = 2000
const DROP_GROWTH = 1.5
const DROP_LONGEST_MS = 30_000
const DROP_JITTER_MS = 1000
/** The loss of a connection that lasted so long needs no pause. */
export const STABLE_MS = 5 * 60_000

/** After `count` attempts in a row that did not lead to a connection. */
export function connectDelay(count: number): number {
  return Math.min(CONNECT_FIRST_MS * 2 ** Math.min(count - 1, 20), CONNECT_LONGEST_MS)
}

/**
 * After `count` connections in a row that were lost soon. The first is replaced at once: servers
 * close connections when they restart, and idle ones.
 */
export function dropDelay(count: number, random: () => number = Math.random): number {
  if (count < 2) return 0
  const delay = DROP_FIRST_MS * DROP_GROWTH ** Math.min(count - 2, 20)
  return Math.min(delay + DROP_JITTER_MS * random(), DROP_LONGEST_MS)
}
