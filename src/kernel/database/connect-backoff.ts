import { StorageUnavailable } from './errors.ts'

const FIRST_WAIT_MS = 50
const LONGEST_WAIT_MS = 2_000

/** Calls `connect`; after an error further attempts are rejected for 50 ms, doubled up to 2 s. */
export type ConnectBackoff = <Client>(connect: () => Promise<Client>) => Promise<Client>

export function createConnectBackoff(): ConnectBackoff {
  let errors = 0
  let closedUntil = 0
  let lastError: unknown
  return async function pass(connect) {
    if (performance.now() < closedUntil) throw new StorageUnavailable({ cause: lastError })
    try {
      const client = await connect()
      errors = 0
      return client
    } catch (cause) {
      lastError = cause
      closedUntil = performance.now() + Math.min(FIRST_WAIT_MS * 2 ** errors, LONGEST_WAIT_MS)
      errors += 1
      throw new StorageUnavailable({ cause })
    }
  }
}
