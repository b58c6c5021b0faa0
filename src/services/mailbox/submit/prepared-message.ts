import type { Envelope } from './submission.ts'

/** A message that is ready to be stored. */
export interface PreparedMessage {
  readonly bytes: Buffer
  /** In angle brackets. */
  readonly messageId: string
  readonly subject: string
  readonly envelope: Envelope
  /** From fields of `raw` that are meant for the queue. */
  readonly sendAt?: number | undefined
  readonly deliveryAttempts?: number | undefined
}
