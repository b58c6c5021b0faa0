/** One client may use all but a quarter of the slots. */
const OTHERS_SHARE = 1 / 4

/**
 * Requests whose response is held back or never ends: event streams, long polls, WebSockets and
 * delays. Limited in number, in all and for each IP address.
 */
export interface HeldRequests {
  /** Returns a function that frees the slot; undefined if there are too many such requests. */
  hold: (ip: string) => (() => void) | undefined
  readonly count: number
}

/** Each request also counts in `outer`, which several services share. */
export function createHeldRequests(most: number, outer?: HeldRequests): HeldRequests {
  const mostByIp = most - Math.floor(most * OTHERS_SHARE)
  const byIp = new Map<string, number>()
  let count = 0

  function change(ip: string, by: 1 | -1): void {
    count += by
    const left = (byIp.get(ip) ?? 0) + by
    if (left === 0) byIp.delete(ip)
    else byIp.set(ip, left)
  }

  return {
    hold(ip) {
      if (count >= most || (byIp.get(ip) ?? 0) >= mostByIp) return undefined
      const release = outer?.hold(ip)
      if (outer !== undefined && release === undefined) return undefined
      let isHeld = true
      change(ip, 1)
      return () => {
        if (!isHeld) return
        isHeld = false
        change(ip, -1)
        release?.()
      }
    },
    get count() {
      return count
    }
  }
}
