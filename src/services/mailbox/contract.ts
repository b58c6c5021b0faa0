import { STATUS_CODES } from 'node:http'
import createError from '@fastify/error'
import type { FastifyError } from 'fastify'
import type { ErrorResponse } from '../../kernel/errors.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'
export const MESSAGE_TYPE = 'message/rfc822'

/** Of all responses of the API: they depend on the token, and no page of another site reads them. */
export const API_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'"
} as const
/** Of parts of messages: nothing in them may run. */
export const DOWNLOAD_HEADERS = {
  ...API_HEADERS,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox"
} as const

/** One parameter or field of a request that is not as described. */
export interface InvalidField {
  readonly key: string
  readonly message: string
}

interface Extras {
  headers?: Readonly<Record<string, string>>
  fields?: readonly InvalidField[]
  /** Seconds until the next request is allowed. */
  ttl?: number
  /** A code that is sent as it is, such as a response code of IMAP. */
  exactCode?: string
  /** Further fields of the body. */
  body?: Readonly<Record<string, unknown>>
}

/** The error format of EmailEngine; errors of input have `fields` instead of a code. */
export function renderError(error: FastifyError & Extras): ErrorResponse {
  const { statusCode = 500, fields, ttl, exactCode } = error
  const isDefect = error.statusCode === undefined
  const message = isDefect ? 'Internal error' : error.message
  const code = exactCode ?? spell(isDefect ? 'INTERNAL_ERROR' : error.code)
  const body = {
    statusCode,
    error: STATUS_CODES[statusCode] ?? 'Error',
    message,
    ...(fields === undefined ? { code } : { fields }),
    ...(ttl !== undefined && { ttl }),
    ...error.body
  }
  return {
    status: statusCode,
    type: JSON_TYPE,
    body: JSON.stringify(body),
    headers: { ...API_HEADERS, ...error.headers },
    explanation: { message: explain(message, fields), ...(fields === undefined && { code }) }
  }
}

/** As EmailEngine spells codes: `MessageNotFound`. */
function spell(code: string): string {
  return code.toLowerCase().replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function explain(message: string, fields: readonly InvalidField[] = []): string {
  return [message, ...fields.map((field) => `${field.key}: ${field.message}`)].join('; ')
}

const Invalid = createError('INVALID_INPUT', 'Invalid input', 400)

/** With all that is wrong. */
export function invalidInput(fields: readonly InvalidField[]): Error {
  return Object.assign(new Invalid(), { fields })
}

export const BodyInvalid = createError<[string]>('BODY_INVALID', '%s', 400)
export const BodyTooLarge = createError<[number]>(
  'BODY_TOO_LARGE',
  'The body is larger than %s bytes',
  413
)
export const TypeNotSupported = createError(
  'TYPE_NOT_SUPPORTED',
  'Send the body as application/json',
  415
)

const Unauthorized = createError(
  'UNAUTHORIZED',
  'A valid token is required: Authorization: Bearer …',
  401
)

/** The same for every token that is not accepted. */
export function unauthorized(): Error {
  return Object.assign(new Unauthorized(), { headers: { 'www-authenticate': 'Bearer' } })
}

export const AdminRequired = createError('ADMIN_REQUIRED', 'This requires an admin token', 403)
/** What is allowed for pages of this origin only. */
export const ORIGIN_MESSAGE = 'Pages of other origins cannot use the mailbox API'

const RateLimited = createError<[number]>(
  'TOO_MANY_REQUESTS',
  'Too many requests; try again in %s seconds',
  429
)

export function tooManyRequests(
  ttl: number,
  headers: Readonly<Record<string, string>> = { 'retry-after': String(ttl) }
): Error {
  return Object.assign(new RateLimited(ttl), { ttl, headers })
}

/** Also for accounts of others. */
export const AccountNotFound = createError(
  'ACCOUNT_NOT_FOUND',
  'Account record was not found for requested ID',
  404
)
export const AccountAlreadyExists = createError<[string]>(
  'ACCOUNT_ALREADY_EXISTS',
  'There is an account %s already',
  409
)
export const AccountLimitReached = createError<[number]>(
  'ACCOUNT_LIMIT_REACHED',
  'There are %s accounts, which is the maximum; remove accounts first',
  409
)
export const TooManyAccounts = createError<[number]>(
  'TOO_MANY_ACCOUNTS',
  'There are %s valid tokens, which is the maximum; remove accounts first',
  409
)
/** Also for messages of others. */
export const MessageNotFound = createError(
  'MESSAGE_NOT_FOUND',
  'Requested message was not found',
  404
)
export const AttachmentNotFound = createError(
  'ATTACHMENT_NOT_FOUND',
  'Requested attachment was not found',
  404
)
export const WaitTimedOut = createError<[number]>(
  'TIMEOUT',
  'No matching message arrived within %s seconds',
  408
)
export const TooManyWaiting = createError(
  'TOO_MANY_WAITING',
  'Too many requests wait for messages; try again later',
  503
)
export const NotListening = createError(
  'NOT_LISTENING',
  'The mail server does not listen yet; try again',
  503
)
export const Stopping = createError('STOPPING', 'The service is stopping; try again', 503)

/** A route of EmailEngine that this service does not have. */
export const NotOffered = createError<[string]>('NOT_OFFERED', '%s', 404)
const MethodNotAllowed = createError<[method: string, allowed: string]>(
  'METHOD_NOT_ALLOWED',
  'The method %s is not allowed here; use %s',
  405
)

/** For a path that has routes of other methods. */
export function methodNotAllowed(method: string, allowed: readonly string[]): Error {
  const list = allowed.join(', ')
  return Object.assign(new MethodNotAllowed(method, list), { headers: { allow: list } })
}

export const CommandTimeout = createError('TIMEOUT', 'The mail server did not respond in time', 504)

/** Errors of `nonet token create mailbox`. */
export const TokenAccountMissing = createError(
  'TOKEN_ACCOUNT_MISSING',
  'Name the accounts of the token with --account <id or address>, or use --admin for all',
  400
)
export const TokenFlagsExclusive = createError(
  'TOKEN_FLAGS_EXCLUSIVE',
  '--account and --admin cannot be combined',
  400
)
export const TokenAccountsTooMany = createError<[number]>(
  'TOKEN_ACCOUNTS_TOO_MANY',
  'A token can be for at most %d accounts; use --admin for all',
  400
)
export const TokenAccountUnknown = createError<[string]>(
  'TOKEN_ACCOUNT_UNKNOWN',
  'There is no account %s',
  404
)
export const TokenAccountAmbiguous = createError<[string]>(
  'TOKEN_ACCOUNT_AMBIGUOUS',
  'Several accounts have the address %s; name the account by its id',
  409
)
