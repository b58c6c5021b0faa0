import { createHmac } from 'node:crypto'
import { standardHeaders } from '../../../kernel/webhook-signature.ts'
import type { Receiver } from './choose-receiver.ts'
import { headerRecord } from './custom-headers.ts'

export interface Delivery {
  /** The same for each attempt. */
  readonly event: string
  readonly job: string
  /** From 1. */
  readonly attempt: number
  readonly body: string
  /** Unix milliseconds. */
  readonly queuedAt: number
  readonly now: number
  readonly version: string
  readonly serviceSecret: string
}

/**
 * Of one attempt. Both signatures have the UTF-8 bytes of `serviceSecret` as their key: the one of
 * EmailEngine covers the body, the one of Standard Webhooks also the id and the time.
 */
export function deliveryHeaders(
  { event, job, attempt, body, queuedAt, now, version, serviceSecret }: Delivery,
  { user, headers }: Pick<Receiver, 'user' | 'headers'>
): Record<string, string> {
  const key = Buffer.from(serviceSecret)
  const seconds = Math.floor(now / 1000)
  return {
    'user-agent': `nonet/${version}`,
    ...(user !== undefined && { authorization: `Basic ${Buffer.from(user).toString('base64')}` }),
    ...headerRecord(headers),
    'content-type': 'application/json',
    'x-ee-wh-id': job,
    'x-ee-wh-event-id': event,
    'x-ee-wh-attempts-made': String(attempt - 1),
    'x-ee-wh-queued-time': `${Math.max(Math.round((now - queuedAt) / 1000), 0)}s`,
    'x-ee-wh-signature': createHmac('sha256', key).update(body).digest('base64url'),
    ...standardHeaders(key, { id: event, body, seconds })
  }
}
