const INTERVAL_MS = 20
const ATTEMPTS = 4

export interface Pauses extends Disposable {
  longestMs: () => number
}

/** Measures the longest time in which this process, with the services in it, did not run. */
export function watchPauses(): Pauses {
  let last = performance.now()
  let longest = 0
  function look(): number {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    return longest
  }
  const timer = setInterval(look, INTERVAL_MS).unref()
  return { longestMs: look, [Symbol.dispose]: () => clearInterval(timer) }
}

/**
 * For requests that must follow each other within `limitMs`: if `play` fails and this process was
 * paused for longer, it is repeated. So it makes boards, records and paths of its own.
 */
export async function withoutPause<T>(limitMs: number, play: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    using pauses = watchPauses()
    try {
      return await play()
    } catch (error) {
      if (attempt === ATTEMPTS || pauses.longestMs() < limitMs) throw error
    }
  }
}
