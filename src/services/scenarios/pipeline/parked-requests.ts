import type { ServerResponse } from 'node:http'
import type { ClientIp } from '../../../kernel/client-ip.ts'
import type { HeldRequests } from '../../../kernel/held-requests.ts'
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

export function createParkedRequests(held: HeldRequests, clientIp: ClientIp): ParkedRequests {
  const waiting = new Set<() => void>()
  let released = false

  function hold(response: ServerResponse): () => void {
    const free = held.hold(clientIp(response.req))
    if (free === undefined) throw new TooManyHeld()
    return free
  }

  function track(response: ServerResponse, onRelease: () => void): void {
    const free = hold(response)
    waiting.add(onRelease)
    function leave(): void {
      free()
      waiting.delete(onRelease)
    }
    if (response.destroyed) leave()
    else response.once('close', leave)
    if (released) onRelease()
  }

  return {
    track,
    delay(response, milliseconds) {
      const free = hold(response)
      if (response.destroyed || released) {
        free()
        return Promise.resolve(false)
      }
      return new Promise((resolve) => {
        function end(passed: boolean): void {
          clearTimeout(timer)
          free()
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
      return held.count
    }
  }
}
