/** Errors of requests about events. */
import createError from '@fastify/error'

/** Also for events of accounts that the token is not for. */
export const EventNotFound = createError('EVENT_NOT_FOUND', 'Requested event was not found', 404)
export const ReceiverMissing = createError<[string]>(
  'RECEIVER_MISSING',
  'No URL is set to which events of the account %s are sent; set webhooks and webhooksEnabled',
  409
)
export const TooManyStreams = createError(
  'TOO_MANY_STREAMS',
  'Too many clients read changes; try again later',
  503
)
