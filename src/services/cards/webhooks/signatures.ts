import { createHmac } from 'node:crypto'

export interface SignedDelivery {
  /** The same for each attempt. */
  id: string
  body: string
  callbackUrl: string
  /** Of this attempt, in Unix seconds. */
  seconds: number
}

const STANDARD_PREFIX = 'whsec_'

/** Trello's signature, and one that covers the time too. */
export function trelloHeaders(secret: string, delivery: SignedDelivery): Record<string, string> {
  const { body, callbackUrl, seconds } = delivery
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  return {
    'x-trello-webhook': createHmac('sha1', secret)
      .update(body + callbackUrl)
      .digest('base64'),
    'x-nonet-signature': `t=${seconds},v1=${signature}`
  }
}

/** Of the Standard Webhooks specification; the secret is `whsec_` and the key in base64. */
export function standardHeaders(secret: string, delivery: SignedDelivery): Record<string, string> {
  const { id, body, seconds } = delivery
  const key = Buffer.from(secret.slice(STANDARD_PREFIX.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${signature}`
  }
}
