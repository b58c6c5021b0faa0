import { defaultBackoff } from './backoff.ts'
import type { ClaimedJob } from './claim.ts'
import type { JobHandler, JobHandlers, JobResult } from './job.ts'
import type { Mark } from './marks.ts'

const MAX_ATTEMPTS = 20
const TIMEOUT_MS = 60_000
const MAX_ERROR_LENGTH = 500

/** Runs the handler of a job once; errors and the end of its time are results too. */
export async function runAttempt(
  claimed: ClaimedJob,
  handlers: JobHandlers,
  controller: AbortController
): Promise<JobResult> {
  const handler = handlerOf(handlers, claimed.kind)
  if (handler === undefined) return { state: 'retry', reason: `No handler of ${claimed.kind}` }
  if (claimed.attempts > maxAttemptsOf(handler)) {
    return { state: 'dead', reason: 'The process ended during the last attempt' }
  }
  const aborted = Promise.withResolvers<never>()
  const { signal } = controller
  signal.addEventListener('abort', () => aborted.reject(signal.reason), { once: true })
  const timer = setTimeout(
    () => controller.abort(new Error('The attempt took too long')),
    handler.timeoutMs ?? TIMEOUT_MS
  )
  try {
    return await Promise.race([handler.run(jobOf(claimed, signal)), aborted.promise])
  } catch (error) {
    return { state: 'retry', reason: error instanceof Error ? error.message : String(error) }
  } finally {
    clearTimeout(timer)
  }
}

function jobOf(claimed: ClaimedJob, signal: AbortSignal) {
  const { id, event_key: key, kind, lane, payload, attempts, created_at: createdAt } = claimed
  return { id, key, kind, lane, payload, attempt: attempts, createdAt, signal }
}

/** What a result means for the stored job. */
export function markOf(
  claimed: ClaimedJob,
  handlers: JobHandlers,
  result: JobResult,
  now: number
): Mark {
  const { id, fence, attempts } = claimed
  if (result.state === 'done') return { id, fence, state: 'done', runAt: now, error: undefined }
  if (result.state === 'postponed') {
    const runAt = now + Math.round(result.afterMs)
    return { id, fence, state: 'waiting', runAt, error: undefined, isPostponed: true }
  }
  const error = result.reason.slice(0, MAX_ERROR_LENGTH)
  const handler = handlerOf(handlers, claimed.kind)
  if (result.state === 'dead' || attempts >= maxAttemptsOf(handler)) {
    return { id, fence, state: 'dead', runAt: now, error }
  }
  const { backoff = defaultBackoff } = handler ?? {}
  const pauseMs = Math.round(result.afterMs ?? backoff(attempts))
  return { id, fence, state: 'waiting', runAt: now + pauseMs, error }
}

function handlerOf(handlers: JobHandlers, kind: string): JobHandler | undefined {
  return Object.hasOwn(handlers, kind) ? handlers[kind] : undefined
}

function maxAttemptsOf(handler: JobHandler | undefined): number {
  return handler?.maxAttempts ?? MAX_ATTEMPTS
}
