import createError from '@fastify/error'
import type { FastifyError } from 'fastify'
import type { ErrorResponse } from '../../kernel/errors.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'
export const HTML_TYPE = 'text/html; charset=utf-8'

/** Of all responses: any site may read them, and browsers take the type as it is. */
export const COMMON_HEADERS = {
  'access-control-allow-origin': '*',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin'
} as const

/** Of responses that are not pages. */
export const DATA_POLICY = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'"
}

export const CACHE = {
  found: 'public, max-age=300, stale-while-revalidate=86400',
  notFound: 'public, max-age=60',
  redirect: 'public, max-age=60',
  media: 'public, max-age=31536000, immutable'
} as const

export const ALLOWED_METHODS = 'GET, HEAD'

export const MethodNotAllowed = createError<[method: string, allowed: string]>(
  'METHOD_NOT_ALLOWED',
  'The method %s is not allowed here; use %s',
  405
)
export const TooManyRequests = createError<[number]>(
  'TOO_MANY_REQUESTS',
  'Too many requests; try again in %s seconds',
  429
)
export const UrlMissing = createError(
  'URL_MISSING',
  'The parameter url is missing; add the URL of a post',
  400
)
export const FormatNotSupported = createError(
  'FORMAT_NOT_SUPPORTED',
  'Only the format json is supported',
  501
)

/** Of all responses to owners: they depend on the token, and no cache may store them. */
export const OWNER_HEADERS = {
  'cache-control': 'no-store',
  vary: 'Authorization',
  'access-control-expose-headers': 'Location, Idempotent-Replayed, Retry-After'
} as const

/** Of posting. The same for every token that is not accepted, so that it tells nothing. */
export const TokenInvalid = createError(
  'TOKEN_INVALID',
  'A valid token is required: Authorization: Bearer …; create one with nonet token create statuses',
  401
)
export const CHALLENGE = { 'www-authenticate': 'Bearer' } as const
/** Also for posts of other accounts. */
export const PostUnknown = createError('POST_UNKNOWN', 'You have no post with this id', 404)
export const BodyInvalid = createError<[string]>('BODY_INVALID', '%s', 400)
export const FieldUnknown = createError<[name: string, known: string]>(
  'FIELD_UNKNOWN',
  'There is no field %s here; use %s',
  400
)
export const FieldInvalid = createError<[name: string, expected: string]>(
  'FIELD_INVALID',
  'The field %s must be %s',
  400
)
export const BodyTooLarge = createError<[number]>(
  'BODY_TOO_LARGE',
  'The request or one of its parts is too large; the maximum is %s bytes',
  413
)
export const TypeNotSupported = createError<[string]>(
  'TYPE_NOT_SUPPORTED',
  'The content type is not supported; use %s',
  415
)
export const IdempotencyKeyInvalid = createError(
  'IDEMPOTENCY_KEY_INVALID',
  'Idempotency-Key must have 1 to 255 characters',
  400
)
export const TextMissing = createError(
  'TEXT_MISSING',
  'The post has neither text nor images; add one of them',
  400
)
export const TextTooLong = createError<[number]>(
  'TEXT_TOO_LONG',
  'The text has more than %s characters',
  400
)
export const TextInvalid = createError<[string]>(
  'TEXT_INVALID',
  'The field %s contains a character that is not allowed: NUL or half of a surrogate pair',
  400
)
export const AltTooLong = createError<[number]>(
  'ALT_TOO_LONG',
  'The description of an image has more than %s characters',
  400
)
export const LangInvalid = createError(
  'LANG_INVALID',
  'The field lang is not a language tag such as en or pt-BR',
  400
)
export const ReplyUnknown = createError(
  'REPLY_UNKNOWN',
  'The field in_reply_to is not the id of a public post here or of one of your own posts',
  422
)
export const MediumUnknown = createError<[string]>(
  'MEDIUM_UNKNOWN',
  'The post has no medium %s; use the ids in its field media',
  422
)
export const IdempotencyKeyReused = createError(
  'IDEMPOTENCY_KEY_REUSED',
  'The Idempotency-Key was used for a post with other content; use a new one',
  422
)

/** Of the console routes that the import command uses. */
export const ImportInvalid = createError<[string]>('IMPORT_INVALID', '%s', 400)
export const ImportTooLarge = createError<[number]>(
  'IMPORT_TOO_LARGE',
  'The request has more than %s bytes; send less at once',
  413
)
export const ImportAborted = createError('IMPORT_ABORTED', 'The request body is incomplete', 400)
export const ArchiveTooLarge = createError<[string]>(
  'ARCHIVE_TOO_LARGE',
  'The archive is larger than %s; import it with nonet import statuses, or set --statuses-max-archive-bytes',
  413
)
export const ImportRunning = createError(
  'IMPORT_RUNNING',
  'Another import is running; wait until it has ended',
  409
)
export const ImportUnknown = createError('IMPORT_UNKNOWN', 'There is no such import', 404)
export const AccountNameTaken = createError<[string, string]>(
  'ACCOUNT_NAME_TAKEN',
  'The name %s belongs to the account %s here, which has another id; add it with --new-account if it is another one',
  409
)
export const AccountUnknown = createError<[string]>(
  'ACCOUNT_UNKNOWN',
  'There is no account %s here; send the account first',
  404
)
export const FileUnknown = createError<[string]>(
  'FILE_UNKNOWN',
  'The file %s is not stored; upload it first',
  409
)
export const FilesBusy = createError(
  'FILES_BUSY',
  'Too many images are being processed; try again',
  503
)
export const FileRefused = createError<[string]>('FILE_REFUSED', '%s', 422)

export const ExportInvalid = createError<[string]>('EXPORT_INVALID', '%s', 400)

/** Of the writing page. */
export const AccountExists = createError<[string]>(
  'ACCOUNT_EXISTS',
  'There is an account @%s already; choose another user name',
  409
)
/** Of the command `nonet token create statuses`, whose flags they name. */
export const NoAccount = createError(
  'NO_ACCOUNT',
  'There is no account; add one with --new-account --account <user name>',
  404
)
export const AccountNotChosen = createError<[string]>(
  'ACCOUNT_NOT_CHOSEN',
  'There are several accounts; select one with --account: %s',
  400
)
export const UserUnknown = createError<[string]>(
  'USER_UNKNOWN',
  'There is no account %s; add it with --new-account',
  404
)
export const AccountFlagMissing = createError(
  'ACCOUNT_FLAG_MISSING',
  'A new account needs a user name: --new-account --account <user name>',
  400
)
export const UserNameNotAllowed = createError<[string]>(
  'USER_NAME_NOT_ALLOWED',
  'The user name %s is not allowed: 1 to 15 letters of A to Z, digits and _, and not a name that nonet or X uses in paths',
  400
)
export const UserNameTaken = createError<[string]>(
  'USER_NAME_TAKEN',
  'There is an account %s already; leave out --new-account',
  409
)

/** `error` is the message, as clients of embedded posts expect. */
export function renderError(
  error: FastifyError & { headers?: Record<string, string> }
): ErrorResponse {
  const status = error.statusCode ?? 500
  const message = status === 500 ? 'Internal error' : error.message
  const code = status === 500 ? 'INTERNAL' : error.code
  return {
    status,
    type: JSON_TYPE,
    body: JSON.stringify({ error: message, code }),
    headers: { ...COMMON_HEADERS, ...DATA_POLICY, 'cache-control': 'no-store', ...error.headers },
    explanation: { message, code }
  }
}
