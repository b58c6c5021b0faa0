import createError from '@fastify/error'
import type { FastifyError } from 'fastify'
import { preflightPolicy } from '../../kernel/cors.ts'
import type { ErrorResponse } from '../../kernel/errors.ts'

/** Top-level names of a record that are reserved for the service. */
export const SYSTEM_FIELDS = ['_id', '_createdOn', '_updatedOn', '_collection'] as const

export const RECORD_ID = /^[0-9A-Fa-f]{24}$/

export const MAX_BOX_ID_BYTES = 128
export const DEFAULT_LIMIT = 20
export const MAX_LIMIT = 1000
export const MAX_RECORDS_PER_REQUEST = 1000

/** First path segments that are not box ids: reserved for routes that exist or may be added. */
export const RESERVED_WORDS: readonly string[] = [
  '_meta',
  '_query',
  '_keys',
  '_changes',
  '_schema',
  '_export',
  '_import',
  '_indexes',
  '_batch',
  '_history',
  '_page'
]

// Messages and statuses are those of jsonbox.io, except where it crashes: that is a 4xx here.
export const BoxIdMissing = createError('BOX_ID_MISSING', 'Box id cannot be empty.', 400)
export const BoxIdInvalid = createError('BOX_ID_INVALID', 'Invalid or empty box id', 400)
export const BoxIdLength = createError<[number]>(
  'BOX_ID_LENGTH',
  `Box id must be atleast %s chars long & max. ${MAX_BOX_ID_BYTES} chars.`,
  400
)
export const CollectionTooLong = createError<[number]>(
  'COLLECTION_TOO_LONG',
  "Collection name can't be more than %s chars.",
  400
)
export const CollectionInvalid = createError('COLLECTION_INVALID', 'Invalid collection name', 400)
export const BodyEmpty = createError('BODY_EMPTY', 'Empty body.', 400)
export const BodyTooLarge = createError<[number]>(
  'BODY_TOO_LARGE',
  'JSON body is too large. Should be less than %sKB',
  413
)
export const BodyAborted = createError('BODY_ABORTED', 'The request body is incomplete', 400)
export const TooManyRecords = createError(
  'TOO_MANY_RECORDS',
  `Not more than ${MAX_RECORDS_PER_REQUEST} records for bulk upload.`,
  413
)
export const InvalidPaging = createError<[string]>(
  'INVALID_PAGING',
  '%s must be a whole number, 0 or greater',
  400
)
export const InvalidTtl = createError(
  'INVALID_TTL',
  'ttl must be a whole number of seconds, 1 or greater',
  400
)
export const RecordNotFound = createError('RECORD_NOT_FOUND', 'Invalid record Id', 404)
/** jsonbox.io responds to writes to unknown records with 400, and clients rely on it. */
export const NothingToWrite = createError('RECORD_NOT_FOUND', 'Invalid record Id', 400)
export const TargetMissing = createError(
  'TARGET_MISSING',
  'Invalid or empty record id or missing query definition',
  400
)
export const BulkUpdate = createError('BULK_UPDATE', 'Bulk update not supported.', 400)
export const PreconditionFailed = createError(
  'PRECONDITION_FAILED',
  'The record does not match If-Match or If-None-Match',
  412
)
export const TooManyIndexes = createError(
  'TOO_MANY_INDEXES',
  'A box can have at most 16 indexes',
  400
)
export const TooManySchemas = createError(
  'TOO_MANY_SCHEMAS',
  'A box can have at most 32 schemas',
  400
)
export const SchemaNotFound = createError('SCHEMA_NOT_FOUND', 'Schema not found', 404)
export const IndexNotFound = createError('INDEX_NOT_FOUND', 'Index not found', 404)
const SettingInvalid = createError('SETTING_INVALID', 'Invalid setting', 400)
const SchemaInvalid = createError('SCHEMA_INVALID', 'Invalid schema', 400)
const BatchInvalid = createError('BATCH_INVALID', 'Invalid batch', 400)
export const SchemaMismatch = createError(
  'SCHEMA_MISMATCH',
  'The record does not match the schema',
  422
)
export const KeyMalformed = createError(
  'KEY_MALFORMED',
  'Invalid API-KEY. API-KEY Should be a UUID.',
  400
)
export const ApiKeyDenied = createError('KEY_REFUSED', 'Invalid API_KEY.', 401)
export const KeyRequestInvalid = createError<[string]>(
  'KEY_REQUEST_INVALID',
  'Invalid key request: %s',
  400
)
export const ApiKeyUnknown = createError('KEY_UNKNOWN', 'Key not found', 404)
export const TooManyKeys = createError<[number]>(
  'TOO_MANY_KEYS',
  'A box can have at most %s keys; revoke one first',
  400
)
/** Only for the operator: for other callers an unknown box is an empty box. */
export const BoxUnknown = createError<[string]>('BOX_UNKNOWN', 'Box %s not found', 404)
export const BoxPublic = createError<[string]>(
  'BOX_PUBLIC',
  'The box %s is public, so it has no key',
  400
)
export const TooManyRequests = createError(
  'TOO_MANY_REQUESTS',
  'Too many requests, please try again later.',
  429
)
export const TooManyStreams = createError(
  'TOO_MANY_STREAMS',
  'Too many clients follow changes, in all or from your IP address; try again later',
  503
)
export const ChangesForgotten = createError(
  'CHANGES_FORGOTTEN',
  'Changes after this number have been discarded: read the list again, then follow from the current position',
  410
)
/** Errors that only lines and files of an import can have. */
export const LineInvalid = createError<[string]>('LINE_INVALID', '%s', 400)
export const LinesRejected = createError<[number, number]>(
  'LINES_REFUSED',
  '%s of %s lines were rejected; the others are stored',
  422
)
export const ScanTooLong = createError(
  'SCAN_TOO_LONG',
  'The query timed out: restrict it to a collection, ' +
    'use a smaller limit, or follow the cursor of a shorter list',
  503
)

export function settingInvalid(reason: string) {
  return Object.assign(new SettingInvalid(), { reason })
}

export function schemaInvalid(reason: string) {
  return Object.assign(new SchemaInvalid(), { reason })
}

export function batchInvalid(reason: string, index?: number) {
  return Object.assign(new BatchInvalid(), { reason, index })
}

/** `errors` are the mismatches; `index` is the position of the record if several were sent. */
export function schemaMismatch(
  errors: readonly { path: string; message: string }[],
  index: number | undefined
) {
  return Object.assign(new SchemaMismatch(), { errors, index })
}

/** Optional properties of an error, beside its message and code. */
export interface ErrorDetails {
  /** Offset in bytes at which the body is invalid. */
  position?: number
  reason?: string
  /** Position of the record or operation, if several were sent. */
  index?: number | undefined
  errors?: readonly { path: string; message: string }[]
  headers?: Readonly<Record<string, string>>
  /** Further members of the response body. */
  details?: object
}

export const JSON_TYPE = 'application/json; charset=utf-8'
export const LINES_TYPE = 'application/x-ndjson; charset=utf-8'

const EXPOSED =
  'ETag, Link, X-Total-Count, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After'

/** Headers of every response, errors and 304 included. */
export const COMMON_HEADERS: Readonly<Record<string, string>> = Object.freeze({
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED,
  'x-content-type-options': 'nosniff'
})

export const PREFLIGHT_HEADERS: Readonly<Record<string, string>> = Object.freeze({
  ...COMMON_HEADERS,
  ...preflightPolicy('GET,HEAD,PUT,PATCH,POST,DELETE', 600)
})

const RETRY_SOON = { 'retry-after': '1' }
const SERVER_ERROR = { message: 'Internal error', code: 'internal_error' }

/** `{"message":…,"code":…}`, the code in lower case; clients of jsonbox.io read the message. */
export function renderError(error: FastifyError & ErrorDetails): ErrorResponse {
  const status = error.statusCode ?? 500
  const described = status === 500 ? SERVER_ERROR : describe(error)
  return {
    status,
    body: JSON.stringify(described),
    type: JSON_TYPE,
    headers: { ...COMMON_HEADERS, ...(status === 503 ? RETRY_SOON : {}), ...error.headers },
    explanation: { message: described.message, code: described.code }
  }
}

function describe(error: FastifyError & ErrorDetails) {
  const { message, code, position, reason, index, errors, details } = error
  return { message, code: code.toLowerCase(), position, reason, index, errors, ...details }
}
