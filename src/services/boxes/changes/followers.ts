import { TooManyStreams } from '../contract.ts'

/** Whoever waits for changes. */
export interface Follower {
  /**
   * Resolves when there may be something new, when time is up, or when everybody has to go; true
   * only when time is up. No clock can tell: timers are early by a fraction of a millisecond.
   */
  wait: (milliseconds: number) => Promise<boolean>
  /** Set when everybody has to go, or this one has gone. */
  readonly over: boolean
  end: () => void
}

export interface Followers {
  follow: (box: string) => Follower
  /** Ends them all, and whoever comes later. */
  leave: () => void
}

export type Listen = (box: string, listener: () => void) => () => void

/** Keeps count of those who wait, so that there are never too many. */
export function createFollowers(listen: Listen, most: number): Followers {
  const present = new Set<() => void>()
  let closed = false

  function follow(box: string): Follower {
    if (present.size >= most) throw new TooManyStreams()
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
        present.delete(rouse)
        wake?.(false)
      }
    }
  }

  return {
    follow,
    leave() {
      closed = true
      for (const rouse of present) rouse()
    }
  }
}
