import { DOCUMENT_STORE, EXPORTS, WEBHOOKS } from '../api/missing-features.ts'
import type { ApiRequest } from '../api/route.ts'
import type { MailboxContext } from '../context.ts'
import { NotOffered } from '../contract.ts'
import { countQueue } from '../store/submissions.ts'
import { QueueNotFound } from './contract.ts'

/** The only queue so far; EmailEngine has more. */
export const QUEUE = 'submit'
const MISSING: Readonly<Record<string, string>> = {
  notify: WEBHOOKS,
  documents: DOCUMENT_STORE,
  export: EXPORTS
}

interface QueueStatus {
  readonly queue: string
  /** Messages of a paused queue count as waiting, so `paused` is always 0. */
  readonly jobs: {
    readonly active: number
    readonly delayed: number
    readonly waiting: number
    readonly paused: 0
  }
  readonly paused: boolean
}

export async function readQueue(context: MailboxContext): Promise<QueueStatus> {
  const { kernel, settings } = context
  const time = kernel.now().getTime()
  const jobs = await kernel.database.read(() => countQueue(time))
  const { pausedQueues } = await (await settings()).read()
  return { queue: QUEUE, jobs: { ...jobs, paused: 0 }, paused: pausedQueues.includes(QUEUE) }
}

export async function showQueue(
  context: MailboxContext,
  { params }: ApiRequest
): Promise<QueueStatus> {
  checkQueue(params.queue)
  return readQueue(context)
}

export async function pauseQueue(
  context: MailboxContext,
  { params, body }: ApiRequest<unknown, { readonly paused: boolean }>
): Promise<QueueStatus> {
  checkQueue(params.queue)
  await (await context.settings()).changeQueue(QUEUE, body.paused)
  return readQueue(context)
}

function checkQueue(name = ''): void {
  if (name === QUEUE) return
  const sentence = Object.hasOwn(MISSING, name) ? MISSING[name] : undefined
  throw sentence === undefined ? new QueueNotFound() : new NotOffered(sentence)
}
