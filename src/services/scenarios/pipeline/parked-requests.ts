import type { ServerResponse } from 'node:http'
import { TooManyHeld } from '../contract.ts'

/** Requests that are delayed on purpose. Limited in number; removed when the client disconnects. */
export interface ParkedRequests {
  /** True after the time has passed, false if the client disconnects or the server stops. */
  delay: (response: ServerResponse, milliseconds: number) => Promise<boolean>
  /** Counts as delayed until the response is closed; a stop of the server calls `onRelease`. */
  track: (response: ServerResponse, onRelease: () => void) => void
  /** Ends all delays, and later ones at once. */
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
