import type { Transaction } from '../../../kernel/database/transaction.ts'
import { countKind, type KindCounts } from '../../../kernel/outbox/count-lane.ts'
import { DOCUMENT_STORE, EXPORTS } from '../api/missing-features.ts'
import type { ApiRequest } from '../api/route.ts'
import type { MailboxContext } from '../context.ts'
import { NotOffered } from '../contract.ts'
import { countQueue } from '../store/submissions.ts'
import { hastenAll } from '../webhooks/hasten.ts'
import { WEBHOOK_JOB } from '../webhooks/jobs.ts'
import { QueueNotFound } from './contract.ts'

/** Of messages to send, and of webhooks; EmailEngine has more. */
export const QUEUES = ['submit', 'notify'] as const
type Queue = (typeof QUEUES)[number]

const MISSING: Readonly<Record<string, string>> = {
  documents: DOCUMENT_STORE,
  export: EXPORTS
}

interface QueueStatus {
  readonly queue: string
  /** Jobs of a paused queue count as waiting, so `paused` is always 0. */
  readonly jobs: {
    readonly active: number
    readonly delayed: number
    readonly waiting: number
    readonly paused: 0
  }
  readonly paused: boolean
}

export async function readQueue(context: MailboxContext, queue: Queue): Promise<QueueStatus> {
  const { kernel, settings } = context
  const time = kernel.now().getTime()
  const { pausedQueues } = await (await settings()).read()
  const isPaused = pausedQueues.includes(queue)
  const jobs = await kernel.database.read(() =>
    queue === 'submit' ? countQueue(time) : countDeliveries(time, isPaused)
  )
  return { queue, jobs: { ...jobs, paused: 0 }, paused: isPaused }
}

/** Deliveries of a paused queue are postponed repeatedly; they count as waiting, not as delayed. */
function* countDeliveries(time: number, isPaused: boolean): Transaction<KindCounts> {
  const { active, delayed, waiting } = yield* countKind(WEBHOOK_JOB, time)
  return isPaused
    ? { active, delayed: 0, waiting: waiting + delayed }
    : { active, delayed, waiting }
}

export async function showQueue(
  context: MailboxContext,
  { params }: ApiRequest
): Promise<QueueStatus> {
  return readQueue(context, queueOf(params.queue))
}

export async function pauseQueue(
  context: MailboxContext,
  { params, body }: ApiRequest<unknown, { readonly paused: boolean }>
): Promise<QueueStatus> {
  const queue = queueOf(params.queue)
  await (await context.settings()).changeQueue(queue, body.paused)
  if (queue === 'notify' && !body.paused) await hastenAll(context)
  return readQueue(context, queue)
}

function queueOf(name = ''): Queue {
  const queue = QUEUES.find((one) => one === name)
  if (queue !== undefined) return queue
  const sentence = Object.hasOwn(MISSING, name) ? MISSING[name] : undefined
  throw sentence === undefined ? new QueueNotFound() : new NotOffered(sentence)
}
