/** Events of messages that are sent. */
import type { SmtpError } from '../submit/retry-rules.ts'
import type { Submission, SubmissionProgress } from '../submit/submission.ts'
import type { NewEvent } from './record-events.ts'

type Sent = Pick<Submission, 'id' | 'account' | 'messageId' | 'envelope'>

export function sentEvent(
  { id, account, messageId, envelope }: Sent,
  { response, messageId: given }: Pick<SubmissionProgress, 'response' | 'messageId'>
): NewEvent {
  const isOther = given !== undefined && given !== messageId
  const data = {
    messageId: given ?? messageId,
    ...(isOther && { originalMessageId: messageId }),
    response,
    queueId: id,
    envelope
  }
  return { account, name: 'messageSent', key: [id], data }
}

interface FailedAttempt {
  readonly error: SmtpError
  /** Those that have ended, with this one. */
  readonly attempts: number
  /** Unix milliseconds; undefined after the last attempt. */
  readonly nextAt: number | undefined
  /** Id of the job. */
  readonly job: string
}

/** Of one attempt; after the last one also that the message has failed. */
export function failedEvents(
  submission: Sent & Pick<Submission, 'maxAttempts'>,
  { error, attempts, nextAt, job }: FailedAttempt
): readonly NewEvent[] {
  const { id, account, messageId, envelope, maxAttempts } = submission
  const { message, code, response, responseCode, command } = error
  const data = {
    queueId: id,
    envelope,
    messageId,
    error: message,
    errorCode: code,
    smtpResponse: response,
    smtpResponseCode: responseCode,
    smtpCommand: command,
    job: {
      id: job,
      attemptsMade: attempts,
      attempts: maxAttempts,
      nextAttempt: nextAt === undefined ? false : new Date(nextAt).toISOString()
    }
  }
  const attempt: NewEvent = { account, name: 'messageDeliveryError', key: [id, attempts], data }
  if (nextAt !== undefined) return [attempt]
  const failed = { messageId, queueId: id, error: `Error: ${message}` }
  return [attempt, { account, name: 'messageFailed', key: [id], data: failed }]
}
