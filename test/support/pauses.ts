/** How long this process, and the services in it, did nothing at a time. */
const INTERVAL_MS = 20
const ATTEMPTS = 4

export interface Pauses extends Disposable {
  longestMs: () => number
}

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
 * For requests that must follow each other within `limitMs`: what fails is repeated if this process
 * was paused for longer. It makes its own boards, records and paths.
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
