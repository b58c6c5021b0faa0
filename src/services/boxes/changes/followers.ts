import type { HeldRequests } from '../../../kernel/held-requests.ts'
import { TooManyStreams } from '../contract.ts'

/** A client that waits for changes. */
export interface Follower {
  /**
   * Resolves when there may be changes, on timeout, on shutdown or on `end`. True only on timeout,
   * which a clock cannot tell: timers are early by a fraction of a millisecond.
   */
  wait: (milliseconds: number) => Promise<boolean>
  /** True after shutdown or `end`. */
  readonly over: boolean
  end: () => void
}

export interface Followers {
  /** Counts for the IP address of the client. */
  follow: (box: string, ip: string) => Follower
  /** Ends all waits for shutdown; clients that follow later are over from the start. */
  closeAll: () => void
}

export type Listen = (box: string, listener: () => void) => () => void

/** Limits the number of clients that follow changes at the same time. */
export function createFollowers(listen: Listen, held: HeldRequests): Followers {
  const present = new Set<() => void>()
  let closed = false

  function follow(box: string, ip: string): Follower {
    const free = held.hold(ip)
    if (free === undefined) throw new TooManyStreams()
    let isNew = false
    let gone = false
    let wake: ((isTimeUp: boolean) => void) | undefined
    const rouse = () => {
      isNew = true
      wake?.(false)
    }
    const unlisten = listen(box, rouse)
    present.add(rouse)
    return {
      wait(milliseconds) {
        if (isNew || closed || gone) {
          isNew = false
          return Promise.resolve(false)
        }
        return new Promise((resolve) => {
          const timer = setTimeout(() => wake?.(true), milliseconds)
          wake = (isTimeUp) => {
            clearTimeout(timer)
            wake = undefined
            isNew = false
            resolve(isTimeUp)
          }
        })
      },
      get over() {
        return closed || gone
      },
      end() {
        gone = true
        unlisten()
        free()
        present.delete(rouse)
        wake?.(false)
      }
    }
  }

  return {
    follow,
    closeAll() {
      closed = true
      for (const rouse of present) rouse()
    }
  }
}
