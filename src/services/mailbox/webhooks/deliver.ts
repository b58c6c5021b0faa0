import { OutboundError } from '../../../kernel/outbound.ts'
import type { Job, JobResult } from '../../../kernel/outbox/job.ts'
import type { MailboxContext } from '../context.ts'
import { accountPurpose } from '../store/migrations.ts'
import {
  isNewError,
  removeWebhookError,
  SETTINGS_RECEIVER,
  storeWebhookError,
  type WebhookError
} from '../store/webhook-errors.ts'
import { type DeliveredEvent, findDeliveredEvent } from '../store/webhook-events.ts'
import { type AccountReceiver, chooseReceiver, type Receiver } from './choose-receiver.ts'
import { deliveryHeaders } from './delivery-headers.ts'
import { type Outcome, outcomeOf } from './outcome.ts'
import { createReceiverLoad } from './receiver-load.ts'
import { openReceiver } from './seal-receiver.ts'
import { readServiceSecret } from './service-secret.ts'

const TIMEOUT_MS = 30_000
/** Until a paused queue is looked at again; resuming it does so at once. */
const PAUSED_MS = 30_000
/** For responses, when the process stops. */
const STOPPING_MS = 2_000
const NO_ACCOUNT: AccountReceiver = { settings: {}, secrets: {} }

/** Sends the body of an event to the receiver of its account, as both are set when it runs. */
export function openDeliveries(context: MailboxContext): (job: Job) => Promise<JobResult> {
  const load = createReceiverLoad(() => performance.now())
  const ending = endingOf(context.stopping)
  return async (job) => {
    const settings = await (await context.settings()).read()
    if (settings.pausedQueues.includes('notify')) return { state: 'postponed', afterMs: PAUSED_MS }
    const event = await context.kernel.database.read(() => findDeliveredEvent(job.payload))
    const isGone = event?.settings === null && event.name !== 'accountDeleted'
    if (event === undefined || isGone) return { state: 'done' }
    if (settings.webhooksEnabled === false) return dead('Webhooks are disabled')
    const receiver = chooseReceiver(settings, accountOf(context, job.payload, event))
    // The account may have had a receiver of its own when the event was stored.
    const isEnabled = receiver?.isOwn === true || settings.webhooksEnabled === true
    if (receiver === undefined || !isEnabled) return dead('No receiver is set')
    const turn = load.begin(receiver.url, job.lane)
    if ('waitMs' in turn) return { state: 'postponed', afterMs: turn.waitMs }
    try {
      const signal = AbortSignal.any([job.signal, ending])
      const outcome = await post(context, { event, receiver }, { ...job, signal })
      if (ending.aborted && outcome.state === 'retry') return { state: 'postponed', afterMs: 0 }
      return resultOf(context, { event, receiver }, outcome)
    } finally {
      turn.end()
    }
  }
}

/** Aborted a moment after the process begins to stop, so that it need not wait for receivers. */
function endingOf(stopping: AbortSignal): AbortSignal {
  const ending = new AbortController()
  const end = () => setTimeout(() => ending.abort(), STOPPING_MS).unref()
  if (stopping.aborted) end()
  else stopping.addEventListener('abort', end, { once: true })
  return ending.signal
}

function dead(reason: string): JobResult {
  return { state: 'dead', reason }
}

function accountOf(
  context: MailboxContext,
  id: string,
  { account, settings, secrets, receiver }: DeliveredEvent
): AccountReceiver {
  if (receiver !== null) return openReceiver(context, id, receiver)
  if (settings === null) return NO_ACCOUNT
  const keys = context.kernel.secrets
  const opened = secrets === null ? '{}' : keys.open(accountPurpose(account), secrets).toString()
  return { settings: JSON.parse(settings), secrets: JSON.parse(opened) }
}

interface Delivery {
  readonly event: DeliveredEvent
  readonly receiver: Receiver
}

async function post(
  context: MailboxContext,
  { event: { body }, receiver }: Delivery,
  { id, payload, attempt, createdAt, signal }: Job
): Promise<Outcome> {
  const { kernel } = context
  const serviceSecret = await readServiceSecret(context)
  const signed = { event: payload, job: id, attempt, body, queuedAt: createdAt, serviceSecret }
  const now = kernel.now().getTime()
  try {
    const { status } = await kernel.outbound.fetch(receiver.url, {
      method: 'POST',
      headers: deliveryHeaders({ ...signed, now, version: kernel.version }, receiver),
      body,
      timeoutMs: TIMEOUT_MS,
      maxBytes: 0,
      statusOnly: true,
      forwarded: receiver.isForwarded,
      egress: receiver.egress === 'any' ? 'any' : undefined,
      signal
    })
    return outcomeOf(status)
  } catch (error) {
    if (error instanceof OutboundError) return outcomeOf(error.code)
    throw error
  }
}

/** With the last error of the receiver, which a success removes. */
function resultOf(
  { kernel }: MailboxContext,
  { event, receiver: { isOwn } }: Delivery,
  outcome: Outcome
): JobResult {
  const { account, name, own_error, shared_error } = event
  // The row of an account that was removed would stay.
  if (isOwn && event.settings === null) return outcome
  const key = isOwn ? account : SETTINGS_RECEIVER
  const json = isOwn ? own_error : shared_error
  const known: WebhookError | undefined = json === null ? undefined : JSON.parse(json)
  if (outcome.state === 'done') {
    return { state: 'done', ...(known && { write: () => removeWebhookError(key) }) }
  }
  const time = kernel.now().getTime()
  const at = new Date(time).toISOString()
  const error = { message: outcome.reason, event: name, account, time: at }
  if (!isNewError(known, error)) return outcome
  return { ...outcome, write: () => storeWebhookError(key, error, time) }
}
