/** Errors of requests about mailboxes and messages. */
import createError from '@fastify/error'

/** Also for mailboxes that cannot be selected. */
export const FolderNotFound = createError(
  'FOLDER_NOT_FOUND',
  'Requested mailbox folder was not found',
  404
)
export const TextNotFound = createError('TEXT_NOT_FOUND', 'Requested text was not found', 404)
export const InvalidCursorType = createError(
  'INVALID_CURSOR_TYPE',
  'The cursor is of another list; use nextPageCursor of a response of this one',
  400
)
export const InvalidCursorValue = createError(
  'INVALID_CURSOR_VALUE',
  'The cursor is malformed; use nextPageCursor of a response as it is',
  400
)
export const MissingServerExtension = createError<[string, string]>(
  'MISSING_SERVER_EXTENSION',
  'The mail server lacks the extension %s, which %s needs',
  422
)
export const UnsupportedSearchTerm = createError(
  'UNSUPPORTED_SEARCH_TERM',
  'The mail server rejects this search',
  422
)
export const DownloadTooLarge = createError<[number]>(
  'DOWNLOAD_TOO_LARGE',
  'The content is larger than %s bytes',
  413
)
export const SubscriptionRejected = createError(
  'SUBSCRIPTION_REJECTED',
  'The mail server rejects the change of the subscription',
  400
)
/** Of one mailbox in a list. */
export const STATUS_MISSING = 'The mail server does not tell the status of this mailbox'
/** Of one mailbox in a list of all. */
export const TOO_MANY_MAILBOXES = 'Only the first 500 mailboxes are searched'
export const COMMAND_REJECTED = 'The mail server rejects the command'
export const MESSAGE_TOO_LARGE = 'The message is larger than the mail server accepts'
