import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { KeyMalformed } from '../contract.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The key of a request, not validated; undefined if there is none. */
export function findKey(headers: IncomingHttpHeaders): string | undefined {
  const own = headers['x-api-key']
  if (typeof own === 'string' && own !== '') return own
  return headers.authorization?.split(' ')[1] || undefined
}

/** Not called for changes of existing records: there a malformed key is a wrong key. */
export function checkKeyForm(key: string | undefined): void {
  if (key !== undefined && !UUID.test(key)) throw new KeyMalformed()
}

/** The hash of a key, which is stored instead of the key. */
export function digestKey(key: string): Uint8Array {
  return createHash('sha256').update(key.toLowerCase()).digest()
}

/** Whether the key matches the stored hash; false if there is no hash. */
export function isKey(digest: Uint8Array | null, key: string | undefined): boolean {
  return digest !== null && key !== undefined && timingSafeEqual(digest, digestKey(key))
}
