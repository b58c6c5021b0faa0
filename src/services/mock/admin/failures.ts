import createError from '@fastify/error'

/** What the addresses below `/__nonet/` answer instead, in the format of problems. */
export const InvalidFilter = createError<[string, string]>('INVALID_FILTER', '%s takes %s', 400)
export const EntryNotFound = createError<[string]>(
  'ENTRY_NOT_FOUND',
  'The journal has no entry %s; it keeps the latest only',
  404
)
export const DocumentNotFound = createError<[string, string]>(
  'DOCUMENT_NOT_FOUND',
  'There is no document %s; there are %s',
  404
)
export const StateOff = createError(
  'STATE_OFF',
  'Nothing is kept here: start the mock with --state',
  404
)
export const CollectionUnknown = createError<[string]>(
  'COLLECTION_UNKNOWN',
  'The documents have no collection %s; see /__nonet/state',
  404
)
export const WebhookNotFound = createError<[string, string]>(
  'WEBHOOK_NOT_FOUND',
  'No document has a webhook %s; there are %s',
  404
)
export const InvalidWebhookCall = createError<[string]>('INVALID_WEBHOOK_CALL', '%s', 422)
export const WebhookNotDelivered = createError<[string]>(
  'WEBHOOK_NOT_DELIVERED',
  'The webhook was not delivered: %s',
  502
)

export const OWN_CODES = [
  ...['FOREIGN_HOST', 'FOREIGN_ORIGIN', 'TOKEN_MISSING', 'ROUTE_NOT_FOUND', 'INVALID_FILTER'],
  ...['ENTRY_NOT_FOUND', 'DOCUMENT_NOT_FOUND', 'WEBHOOK_NOT_FOUND', 'INVALID_WEBHOOK_CALL'],
  ...['WEBHOOK_NOT_DELIVERED', 'STATE_OFF', 'COLLECTION_UNKNOWN']
]
