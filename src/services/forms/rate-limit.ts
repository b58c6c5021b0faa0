import { createWindows } from '../../kernel/windows.ts'

const WINDOW_MS = 60_000

/** Addresses remembered; beyond it the one seen longest ago is forgotten. */
const MAX_ADDRESSES = 10_000

/** Counts per address and minute; answers the seconds to wait, 0 when the request may pass. */
export function createRateLimit(
  perMinute: number,
  now: () => Date,
  maxAddresses = MAX_ADDRESSES
): (address: string) => number {
  const windows = createWindows(now, maxAddresses)
  return function secondsToWait(address) {
    const { count, endsAt } = windows.count(address, WINDOW_MS)
    return count <= perMinute ? 0 : Math.ceil((endsAt - now().getTime()) / 1000)
  }
}
