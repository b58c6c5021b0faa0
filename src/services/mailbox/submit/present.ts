import type { Submission, SubmissionState } from './submission.ts'

/** As EmailEngine names the states of a message in its queue. */
const STATUS: Readonly<Record<SubmissionState, string>> = {
  queued: 'queued',
  sending: 'smtp-starting',
  ending: 'smtp-starting',
  sent: 'smtp-completed',
  submitted: 'submitted',
  failed: 'error'
}

/** An entry of the outbox. */
export function presentSubmission(submission: Submission): object {
  const { state, progress, nextAttemptAt } = submission
  const { idempotencyKey, attempts, messageId } = submission
  const hasError = state === 'queued' && progress.error !== undefined
  const waits = state === 'queued' && nextAttemptAt !== undefined
  const { response, error, rejected, warning } = progress
  return {
    queueId: submission.id,
    account: submission.account,
    source: 'api',
    messageId: progress.messageId ?? messageId,
    envelope: submission.envelope,
    subject: submission.subject,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    created: timeOf(submission.createdAt),
    scheduled: timeOf(submission.sendAt),
    nextAttempt: waits ? timeOf(nextAttemptAt) : false,
    attemptsMade: attempts,
    attempts: submission.maxAttempts,
    progress: {
      status: hasError ? 'error' : STATUS[state],
      ...(response !== undefined && { response }),
      ...(progress.messageId !== undefined && {
        messageId: progress.messageId,
        originalMessageId: messageId
      }),
      ...(error !== undefined && { error }),
      ...(rejected !== undefined && { rejected }),
      ...(warning !== undefined && { warning })
    }
  }
}

export function timeOf(time: number): string {
  return new Date(time).toISOString()
}
