import { createHmac } from 'node:crypto'
import type { SignedDelivery } from '../../../kernel/webhook-signature.ts'

export interface TrelloDelivery extends SignedDelivery {
  readonly callbackUrl: string
}

/** Trello's signature, and one that covers the time too. */
export function trelloHeaders(secret: string, delivery: TrelloDelivery): Record<string, string> {
  const { body, callbackUrl, seconds } = delivery
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  return {
    'x-trello-webhook': createHmac('sha1', secret)
      .update(body + callbackUrl)
      .digest('base64'),
    'x-nonet-signature': `t=${seconds},v1=${signature}`
  }
}
