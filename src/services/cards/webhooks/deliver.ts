import { OutboundError } from '../../../kernel/outbound.ts'
import type { Job, JobResult } from '../../../kernel/outbox/job.ts'
import { standardHeaders, standardKey } from '../../../kernel/webhook-signature.ts'
import type { CardContext } from '../context.ts'
import { viewerOf } from '../http/credentials.ts'
import { webhookPurpose } from '../store/migrations.ts'
import type { WebhookRow } from '../store/rows.ts'
import { readWatched, seesBoard } from '../store/watched.ts'
import {
  disableWebhook,
  noteDelivered,
  noteFailed,
  readWebhook,
  removeWebhook
} from '../store/webhooks.ts'
import type { Delivery } from './enqueue.ts'
import { trelloHeaders } from './signatures.ts'

const TIMEOUT_MS = 10_000
/** Of a response, which is not used. */
const MAX_RESPONSE_BYTES = 1024 * 1024
/** The receiver wants no more deliveries. */
const GONE = 410

/** Sends the body of a job, unless the token of the webhook may not see it any more. */
export async function deliver(context: CardContext, job: Job): Promise<JobResult> {
  const delivery: Delivery = JSON.parse(job.payload)
  const webhook = await context.store.read(() => readWebhook(delivery.webhook))
  if (webhook === undefined) return { state: 'done' }
  if (webhook.active === 0) return { state: 'dead', reason: 'The webhook is not active' }
  const sight = await readSight(context, webhook, delivery)
  if (sight === 'token ended') {
    return { state: 'done', write: () => removeWebhook(webhook.id) }
  }
  if (sight === 'model hidden') {
    return { state: 'done', write: () => disableWebhook(webhook.id) }
  }
  if (sight === 'event hidden') return { state: 'done' }
  const status = await post(context, webhook, delivery)
  if (status === GONE) return { state: 'done', write: () => removeWebhook(webhook.id) }
  if (typeof status === 'number' && status >= 200 && status < 300) {
    const hasFailed = webhook.consecutive_failures > 0
    return { state: 'done', ...(hasFailed && { write: () => noteDelivered(webhook.id) }) }
  }
  const reason = typeof status === 'number' ? `status ${status}` : status
  const now = context.kernel.now()
  return { state: 'retry', reason, write: () => noteFailed(webhook.id, now) }
}

type Sight = 'token ended' | 'model hidden' | 'event hidden' | 'visible'

/** What the token sees now, whatever it saw when the webhook was added. */
async function readSight(
  { kernel, store }: CardContext,
  webhook: WebhookRow,
  { board }: Delivery
): Promise<Sight> {
  const principal = await kernel.credentials.find(webhook.token)
  const viewer = principal && viewerOf(principal)
  if (viewer?.kind !== 'member' || principal?.scopes.includes('read') !== true) {
    return 'token ended'
  }
  return store.read(function* () {
    if ((yield* readWatched(viewer, webhook.model)) === undefined) return 'model hidden'
    return (yield* seesBoard(viewer, board)) ? 'visible' : 'event hidden'
  })
}

/** The status of the response, or the code of the error. */
async function post(
  { kernel, options }: CardContext,
  webhook: WebhookRow,
  { event, body }: Delivery
): Promise<number | string> {
  const own = kernel.secrets.open(webhookPurpose(webhook.id), webhook.secret).toString()
  const callbackUrl = webhook.callback_url
  const seconds = Math.floor(kernel.now().getTime() / 1000)
  const signed = { id: event, body, callbackUrl, seconds }
  const signatures =
    webhook.format === 'standard'
      ? standardHeaders(standardKey(own), signed)
      : trelloHeaders(options.webhookSecret ?? own, signed)
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'nonet', ...signatures },
    body,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_RESPONSE_BYTES,
    forwarded: webhook.is_forwarded === 1
  }
  try {
    return (await kernel.outbound.fetch(callbackUrl, request)).status
  } catch (error) {
    if (error instanceof OutboundError) return error.code
    throw error
  }
}
