import type { ServerResponse } from 'node:http'
import { TooManyHeld } from '../contract.ts'

/** Requests that wait on purpose: few enough, and gone when their clients are. */
export interface ParkedRequests {
  /** True when the time has passed, false when the client left or the server stops. */
  delay: (response: ServerResponse, milliseconds: number) => Promise<boolean>
  /** A place among the held for as long as the response is open; the function gives it back. */
  track: (response: ServerResponse, onRelease: () => void) => void
  /** Lets everybody go, and nobody wait from then on. */
  release: () => void
  readonly count: number
}

export function createParkedRequests(most: number): ParkedRequests {
  const waiting = new Set<() => void>()
  let released = false

  function track(response: ServerResponse, onRelease: () => void): void {
    if (waiting.size >= most) throw new TooManyHeld()
    waiting.add(onRelease)
    response.once('close', () => waiting.delete(onRelease))
    if (released) onRelease()
  }

  return {
    track,
    delay(response, milliseconds) {
      if (waiting.size >= most) throw new TooManyHeld()
      if (response.destroyed || released) return Promise.resolve(false)
      return new Promise((resolve) => {
        function end(passed: boolean): void {
          clearTimeout(timer)
          waiting.delete(leave)
          response.off('close', leave)
          resolve(passed)
        }
        const leave = () => end(false)
        const timer = setTimeout(end, milliseconds, true)
        waiting.add(leave)
        response.once('close', leave)
      })
    },
    release() {
      released = true
      for (const onRelease of [...waiting]) onRelease()
    },
    get count() {
      return waiting.size
    }
  }
}
