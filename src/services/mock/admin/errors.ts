import createError from '@fastify/error'

/** Errors of the endpoints under `/__nonet/`, sent as problem details. */
export const InvalidFilter = createError<[string, string]>('INVALID_FILTER', '%s takes %s', 400)
export const EntryNotFound = createError<[string]>(
  'ENTRY_NOT_FOUND',
  'Journal entry %s not found; only the latest entries are kept',
  404
)
export const DocumentNotFound = createError<[string, string]>(
  'DOCUMENT_NOT_FOUND',
  'Unknown document %s; known documents: %s',
  404
)
export const StateOff = createError(
  'STATE_OFF',
  'The state is disabled: start the mock with --state',
  404
)
export const CollectionUnknown = createError<[string]>(
  'COLLECTION_UNKNOWN',
  'Unknown collection %s; see /__nonet/state',
  404
)
export const WebhookNotFound = createError<[string, string]>(
  'WEBHOOK_NOT_FOUND',
  'Unknown webhook %s; known webhooks: %s',
  404
)
export const OperationNotFound = createError<[string]>(
  'OPERATION_NOT_FOUND',
  'Unknown operation %s; see /__nonet/operations',
  404
)
export const InvalidRequest = createError<[string]>('INVALID_REQUEST', '%s', 422)
export const InvalidRecord = createError<[string]>('INVALID_RECORD', '%s', 422)
export const RecordUnknown = createError<[string]>(
  'RECORD_UNKNOWN',
  'There is no record %s; see /__nonet/state',
  404
)
export const RecordTaken = createError<[string]>(
  'RECORD_TAKEN',
  'There is a record with the id %s already',
  409
)
export const RecordChanged = createError(
  'RECORD_CHANGED',
  'The record was changed or deleted after this page was opened',
  409
)
export const InvalidWebhookCall = createError<[string]>('INVALID_WEBHOOK_CALL', '%s', 422)
export const WebhookNotDelivered = createError<[string]>(
  'WEBHOOK_NOT_DELIVERED',
  'The webhook was not delivered: %s',
  502
)

export const OWN_CODES = [
  ...['FOREIGN_HOST', 'FOREIGN_ORIGIN', 'TOKEN_MISSING', 'ROUTE_NOT_FOUND', 'INVALID_FILTER'],
  ...['FORM_TOKEN_MISSING', 'SIGN_IN_LINK_USED'],
  ...['ENTRY_NOT_FOUND', 'DOCUMENT_NOT_FOUND', 'WEBHOOK_NOT_FOUND', 'INVALID_WEBHOOK_CALL'],
  ...['WEBHOOK_NOT_DELIVERED', 'STATE_OFF', 'COLLECTION_UNKNOWN', 'OPERATION_NOT_FOUND'],
  ...['INVALID_REQUEST', 'INVALID_RECORD', 'RECORD_UNKNOWN', 'RECORD_TAKEN', 'RECORD_CHANGED']
]
