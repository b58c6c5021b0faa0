import type { JobStatus } from '../../../kernel/outbox/job-states.ts'
import type { EventRow } from '../store/events.ts'
import type { DeliveryState } from '../store/read-events.ts'

/** Where the webhook of an event is. */
export interface Delivery {
  readonly state: DeliveryState
  /** `X-EE-Wh-Id` of its requests. */
  readonly webhookId?: string
  readonly attempts?: number
  /** Of the last attempt that failed. */
  readonly error?: string
  /** ISO 8601. */
  readonly nextAttempt?: string
  readonly ended?: string
}

/** An event as it is sent, with its id and the state of its webhook. */
export function presentEvent(
  { id, body, job }: Pick<EventRow, 'id' | 'body' | 'job'>,
  jobs: ReadonlyMap<string, JobStatus>
): object {
  return { id, ...JSON.parse(body), delivery: deliveryOf(job, jobs) }
}

function deliveryOf(job: string | null, jobs: ReadonlyMap<string, JobStatus>): Delivery {
  if (job === null) return { state: 'none' }
  const status = jobs.get(job)
  // A job that was done is removed some time later.
  if (status === undefined) return { state: 'delivered', webhookId: job }
  const { attempts, lastError, runAt, endedAt } = status
  const state = STATES[status.state]
  return {
    state,
    webhookId: job,
    attempts,
    ...(lastError !== null && state !== 'delivered' && { error: lastError }),
    ...(state === 'waiting' && { nextAttempt: new Date(runAt).toISOString() }),
    ...(endedAt !== null && { ended: new Date(endedAt).toISOString() })
  }
}

const STATES: Readonly<Record<JobStatus['state'], DeliveryState>> = {
  waiting: 'waiting',
  done: 'delivered',
  dead: 'failed',
  removed: 'none'
}
