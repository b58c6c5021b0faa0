const INTERVAL_MS = 50
/** Sign-ins to one host that need not wait, after a pause. */
const BURST = 20
const MAX_HOSTS = 10_000

/**
 * Limits sign-ins to 20 a second for each host. Returns the milliseconds to wait before this one.
 * If these would be more than `giveUpAfter`, it returns undefined and does not count the sign-in.
 */
export function createLoginLimiter(
  now: () => number = () => performance.now()
): (host: string, giveUpAfter: number) => number | undefined {
  /** When the reserved sign-ins of a host end, if they were evenly spaced. */
  const endings = new Map<string, number>()

  function removeOld(time: number): void {
    for (const [host, end] of endings) if (end <= time) endings.delete(host)
  }

  return (host, giveUpAfter) => {
    const time = now()
    if (endings.size >= MAX_HOSTS) removeOld(time)
    if (endings.size >= MAX_HOSTS && !endings.has(host)) return undefined
    const end = Math.max(endings.get(host) ?? 0, time) + INTERVAL_MS
    const wait = Math.max(0, end - time - BURST * INTERVAL_MS)
    if (wait > giveUpAfter) return undefined
    endings.set(host, end)
    return wait
  }
}
