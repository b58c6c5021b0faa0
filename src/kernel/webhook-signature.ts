import { createHmac } from 'node:crypto'

export interface SignedDelivery {
  /** The same for each attempt. */
  readonly id: string
  readonly body: string
  /** Of this attempt, in Unix seconds. */
  readonly seconds: number
}

/** Before the key in base64, in the form of a secret that verifiers know. */
export const STANDARD_PREFIX = 'whsec_'

/** Headers of the Standard Webhooks specification; a secret is `whsec_` and the key in base64. */
export function standardHeaders(
  key: Uint8Array,
  { id, body, seconds }: SignedDelivery
): Record<string, string> {
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${signature}`
  }
}

/** The key of a secret with its prefix. */
export function standardKey(secret: string): Uint8Array {
  return Buffer.from(secret.slice(STANDARD_PREFIX.length), 'base64')
}
