import { StorageUnavailable } from './failures.ts'

const FIRST_WAIT_MS = 50
const LONGEST_WAIT_MS = 2_000

/** Lets attempts to connect through, and after a failed one nobody for a while. */
export type Gate = <Client>(connect: () => Promise<Client>) => Promise<Client>

export function createGate(): Gate {
  let failures = 0
  let closedUntil = 0
  return async function pass(connect) {
    if (performance.now() < closedUntil) throw new StorageUnavailable()
    try {
      const client = await connect()
      failures = 0
      return client
    } catch (cause) {
      closedUntil = performance.now() + Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS)
      failures += 1
      throw new StorageUnavailable({ cause })
    }
  }
}
