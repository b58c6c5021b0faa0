import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

const MAX_KEY_LENGTH = 255

/** The value of `Idempotency-Key`; undefined if it is not sent. Throws `invalid()` if it is wrong. */
export function idempotencyKey(
  headers: IncomingHttpHeaders,
  invalid: () => Error
): string | undefined {
  const given = headers['idempotency-key']
  if (given === undefined) return undefined
  const key = String(given)
  if (key.length === 0 || key.length > MAX_KEY_LENGTH) throw invalid()
  return key
}

/** Equal for requests with equal content. */
export function fingerprintOf(content: string): string {
  return createHash('sha256').update(content).digest('base64url')
}
