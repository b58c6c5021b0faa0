/** Messages of the queue, as the parts of the service see them. */

export type SubmissionState = 'queued' | 'sending' | 'ending' | 'sent' | 'submitted' | 'failed'

export interface Envelope {
  /** Empty for bounces. */
  readonly from: string
  readonly to: readonly string[]
}

export interface DeliveryNotification {
  readonly id?: string
  readonly return: 'headers' | 'full'
  readonly notify?: readonly ('never' | 'success' | 'failure' | 'delay')[]
  readonly recipient?: string
}

/** What a request says about sending, besides the message itself. */
export interface SubmissionOptions {
  readonly copy?: boolean | null
  readonly sentMailPath?: string
  readonly dsn?: DeliveryNotification
  /** The message that gets flags after this one was sent. */
  readonly original?: { readonly message: string; readonly action: ReferenceAction }
  /** The draft that this was, which is removed after it was sent. */
  readonly draft?: string
}

export type ReferenceAction = 'reply' | 'reply-all' | 'forward'

export interface SubmissionError {
  readonly message: string
  readonly code?: string
  readonly statusCode?: number
}

/** A recipient that the server did not accept, while it accepted others. */
export interface RejectedRecipient {
  readonly recipient: string
  readonly response: string
}

export interface SubmissionProgress {
  /** Of the server. */
  readonly response?: string
  /** That the server gave the message instead of the one that it had. */
  readonly messageId?: string
  readonly error?: SubmissionError
  readonly rejected?: readonly RejectedRecipient[]
  /** Why there is no copy in the mailbox of sent mail, or no flag on the original. */
  readonly warning?: string
  /** Of the copy in the mailbox of sent mail. */
  readonly copyAttempts?: number
}

export interface Submission {
  readonly id: string
  readonly account: string
  readonly messageId: string
  readonly subject: string
  readonly envelope: Envelope
  readonly options: SubmissionOptions
  readonly progress: SubmissionProgress
  readonly idempotencyKey: string | undefined
  /** Of the file with the message; undefined after the end. */
  readonly hash: string | undefined
  readonly size: number
  readonly state: SubmissionState
  /** Those that have ended. */
  readonly attempts: number
  readonly maxAttempts: number
  readonly run: number
  /** Unix milliseconds, like all times. */
  readonly createdAt: number
  readonly sendAt: number
  readonly nextAttemptAt: number | undefined
}

export type NewSubmission = Pick<
  Submission,
  | 'id'
  | 'account'
  | 'messageId'
  | 'subject'
  | 'envelope'
  | 'options'
  | 'idempotencyKey'
  | 'size'
  | 'maxAttempts'
  | 'sendAt'
> & { readonly hash: string }
