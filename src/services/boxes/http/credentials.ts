import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { KeyMalformed } from '../contract.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The key of a protected box, or what was sent in its place. */
export function findKey(headers: IncomingHttpHeaders): string | undefined {
  const own = headers['x-api-key']
  if (typeof own === 'string' && own !== '') return own
  return headers.authorization?.split(' ')[1] || undefined
}

/** Only reading and creating complain about the form of a key; to other writes it is a wrong one. */
export function checkKeyForm(key: string | undefined): void {
  if (key !== undefined && !UUID.test(key)) throw new KeyMalformed()
}

/** What is kept of a key. */
export function digestKey(key: string): Uint8Array {
  return createHash('sha256').update(key.toLowerCase()).digest()
}

/** Whether this is the key of which the digest was kept; nothing is, where none was kept. */
export function isKey(digest: Uint8Array | null, key: string | undefined): boolean {
  return digest !== null && key !== undefined && timingSafeEqual(digest, digestKey(key))
}
