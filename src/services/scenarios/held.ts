import type { ServerResponse } from 'node:http'
import { TooManyHeld } from './contract.ts'

/** Requests that wait on purpose: few enough, and gone when their clients are. */
export interface Held {
  /** True when the time has passed, false when the client left or the server stops. */
  hold: (response: ServerResponse, milliseconds: number) => Promise<boolean>
  /** A place among the held for as long as the response is open; the function gives it back. */
  take: (response: ServerResponse, letGo: () => void) => void
  /** Lets everybody go, and nobody wait from then on. */
  release: () => void
  readonly count: number
}

export function createHeld(most: number): Held {
  const waiting = new Set<() => void>()
  let released = false

  function take(response: ServerResponse, letGo: () => void): void {
    if (waiting.size >= most) throw new TooManyHeld()
    waiting.add(letGo)
    response.once('close', () => waiting.delete(letGo))
    if (released) letGo()
  }

  return {
    take,
    hold(response, milliseconds) {
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
      for (const letGo of [...waiting]) letGo()
    },
    get count() {
      return waiting.size
    }
  }
}
