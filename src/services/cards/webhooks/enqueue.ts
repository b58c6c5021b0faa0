import type { Transaction } from '../../../kernel/database/transaction.ts'
import { addJob } from '../../../kernel/outbox/add-job.ts'
import { countLane } from '../../../kernel/outbox/count-lane.ts'
import { webhookLane } from '../records/webhook-lane.ts'
import type { WebhookRow } from '../store/rows.ts'
import { disableWebhook } from '../store/webhooks.ts'
import { WEBHOOK_JOB } from './job.ts'

/** Of a body, in UTF-8; as a string in JSON it is at most twice as long. */
export const MAX_BODY_BYTES = 100 * 1024
/** Deliveries that may wait for one webhook, and for one whose last delivery failed. */
const MAX_WAITING = 10_000
const MAX_WAITING_FAILED = 1_000

/** What a job sends; the body never changes, so that each attempt has the same bytes. */
export interface Delivery {
  webhook: string
  /** Id of the board that the event is about; the token must see it when the body is sent. */
  board: string
  event: string
  body: string
}

/**
 * To be part of the transaction of the change; each event once. If too many deliveries wait, the
 * webhook is disabled instead. `time` is in Unix milliseconds.
 */
export function* enqueueDelivery(
  webhook: Pick<WebhookRow, 'id' | 'model' | 'board' | 'consecutive_failures'>,
  event: string,
  body: string,
  time: number,
  board = webhook.board ?? webhook.model
): Transaction<void> {
  if (Buffer.byteLength(body) > MAX_BODY_BYTES) throw new Error('The body of an event is too large')
  const lane = webhookLane(webhook.id)
  const limit = webhook.consecutive_failures > 0 ? MAX_WAITING_FAILED : MAX_WAITING
  if ((yield* countLane(lane, limit)) >= limit) return yield* disableWebhook(webhook.id)
  const delivery: Delivery = { webhook: webhook.id, board, event, body }
  yield* addJob(
    {
      key: `${webhook.id}:${event}`,
      kind: WEBHOOK_JOB,
      lane,
      payload: JSON.stringify(delivery)
    },
    time
  )
}
