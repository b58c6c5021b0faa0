import type { IncomingHttpHeaders } from 'node:http'
import { fingerprintOf } from '../../../kernel/idempotency.ts'
import { canonical } from '../../../kernel/json-equality.ts'
import { invalidInput } from '../contract.ts'
import type { KeyRecord, SubmissionKey } from '../store/submission-keys.ts'
import { IdempotencyKeyReused } from './contract.ts'

const MAX_KEY_LENGTH = 1024

/** A request with `Idempotency-Key`. */
export interface KeyedRequest extends SubmissionKey {
  /** As it was sent. */
  readonly value: string
  /** Equal for equal requests. */
  readonly request: string
}

export function readIdempotencyKey(
  headers: IncomingHttpHeaders,
  account: string,
  content: object
): KeyedRequest | undefined {
  const sent = headers['idempotency-key']
  if (sent === undefined) return undefined
  const value = String(sent)
  if (value === '' || value.length > MAX_KEY_LENGTH) {
    const message = `must have 1 to ${MAX_KEY_LENGTH} characters`
    throw invalidInput([{ key: 'idempotency-key', message }])
  }
  return { account, value, key: fingerprintOf(value), request: fingerprintOf(canonical(content)) }
}

/** The response of the first request with the key. */
export function repeatedResponse({ value, request }: KeyedRequest, record: KeyRecord): object {
  if (record.request !== request) throw new IdempotencyKeyReused()
  return { ...JSON.parse(record.response), idempotency: { key: value, status: 'HIT' } }
}
