import createError from '@fastify/error'

const NoSmtp = createError(
  'SMTP_UNAVAILABLE',
  'The account has no SMTP server, so it cannot send messages',
  404
)

export function smtpUnavailable(): Error {
  return Object.assign(new NoSmtp(), { exactCode: 'SMTPUnavailable' })
}

export const ReferenceNotFound = createError(
  'REFERENCE_NOT_FOUND',
  'The message that is replied to or forwarded was not found',
  404
)
export const MessageNotDraft = createError(
  'MESSAGE_NOT_DRAFT',
  'Only a message with the flag \\Draft, or in the mailbox for drafts, can be submitted',
  400
)
export const DraftHasNoRecipients = createError(
  'DRAFT_HAS_NO_RECIPIENTS',
  'The draft has no recipients; name them in envelope.to',
  400
)
export const QueueFull = createError<[number]>(
  'QUEUE_FULL',
  'An account can have at most %s messages in the queue',
  429
)
export const QueueEntryNotFound = createError('NOT_FOUND', 'Document was not found', 404)
export const IdempotencyKeyReused = createError(
  'IDEMPOTENCY_KEY_REUSED',
  'The Idempotency-Key was sent with another request before',
  400
)
