const WINDOW_MS = 60_000

/** Addresses remembered; beyond it the one seen longest ago is forgotten. */
const MAX_ADDRESSES = 10_000

interface Window {
  count: number
  endsAt: number
}

/** Counts per address and minute; answers the seconds to wait, 0 when the request may pass. */
export function createRateLimit(
  perMinute: number,
  now: () => Date,
  maxAddresses = MAX_ADDRESSES
): (address: string) => number {
  const windows = new Map<string, Window>()

  function openWindow(address: string, time: number): Window {
    windows.delete(address)
    const [oldest] = windows.keys()
    if (windows.size >= maxAddresses && oldest !== undefined) windows.delete(oldest)
    const window = { count: 0, endsAt: time + WINDOW_MS }
    windows.set(address, window)
    return window
  }

  return function secondsToWait(address) {
    const time = now().getTime()
    const known = windows.get(address)
    const window = known === undefined || known.endsAt <= time ? openWindow(address, time) : known
    window.count++
    return window.count <= perMinute ? 0 : Math.ceil((window.endsAt - time) / 1000)
  }
}
