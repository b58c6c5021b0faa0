import createError from '@fastify/error'
import type { FastifyError } from 'fastify'
import type { ErrorExplanation, ErrorResponse } from '../../kernel/errors.ts'

export const DEFAULT_SEED = '42'
export const MAX_SEED_LENGTH = 100
export const WORKSPACE_NAME = /^[A-Za-z0-9_-]{1,64}$/
export const MAX_DEPTH = 100
/** Maximum number of fields of a body, or of items if the body is an array. */
export const MAX_FIELDS = 10_000

/** Names below `/api` that are not collections. */
export const RESERVED_NAMES = ['me', 'auth', 'events', 'uploads', 'echo', 'ws'] as const

const SUPPORT_TEXT =
  'This response comes from your own machine: break it, slow it down, and see what your front end does.'

/** Property `support` of lists and records, which ReqRes clients expect. */
export function supportOf(base: string): { url: string; text: string } {
  return { url: `${base}/`, text: SUPPORT_TEXT }
}

// Login and register, in the order of checking.
export const IdentifierMissing = createError('MISSING_IDENTIFIER', 'Missing email or username', 403)
export const PasswordMissing = createError('MISSING_PASSWORD', 'Missing password', 403)
export const UserUnknown = createError('UNKNOWN_USER', 'user not found', 403)
export const RegistrationDenied = createError(
  'UNKNOWN_USER',
  'Note: Only defined users succeed registration',
  403
)
export const UserExists = createError('USER_EXISTS', 'User already exists', 403)
export const EmailInvalid = createError('INVALID_EMAIL', 'Invalid email address', 403)
export const CredentialsInvalid = createError('INVALID_CREDENTIALS', 'Invalid credentials', 403)
export const AccountLocked = createError('ACCOUNT_LOCKED', 'Account locked', 403)
export const AccountDisabled = createError('ACCOUNT_DISABLED', 'Account disabled', 403)
export const EmailUnverified = createError('EMAIL_UNVERIFIED', 'Email not verified', 403)
export const PasswordExpired = createError('PASSWORD_EXPIRED', 'Password expired', 403)
export const SecondFactorRequired = createError('MFA_REQUIRED', 'Second factor required', 403)
export const SecondFactorWrong = createError('MFA_FAILED', 'Invalid code', 403)
export const ChallengeGone = createError('MFA_GONE', 'Unknown or expired challenge', 403)
export const OneTimeTokenInvalid = createError('INVALID_TICKET', 'Invalid or expired token', 403)

export const TokenAbsent = createError('MISSING_TOKEN', 'Missing token', 401)
export const TokenInvalid = createError('INVALID_TOKEN', 'Invalid token', 401)
export const TokenExpired = createError('TOKEN_EXPIRED', 'Token expired', 401)
export const TokenRevoked = createError('TOKEN_REVOKED', 'Token revoked', 401)

export const JsonInvalid = createError('INVALID_JSON', 'Invalid JSON', 400)
export const JsonTooDeep = createError('JSON_TOO_DEEP', 'JSON nested too deeply', 400)
export const BodyTooLarge = createError('BODY_TOO_LARGE', 'Body too large', 413)
export const TooManyFields = createError(
  'TOO_MANY_FIELDS',
  `A body may have at most ${MAX_FIELDS} fields: send fewer`,
  413
)
export const BodyAborted = createError('BODY_ABORTED', 'The request body is incomplete', 400)

export const ParameterInvalid = createError<[string]>('INVALID_PARAMETER', '%s', 400)
export const UpgradeNeeded = createError(
  'UPGRADE_NEEDED',
  'This URL accepts WebSocket connections only',
  426
)
export const UpgradeInvalid = createError<[string]>('INVALID_UPGRADE', '%s', 400)
export const MultipartNeeded = createError(
  'MULTIPART_NEEDED',
  'Send files as multipart/form-data',
  415
)
export const MultipartInvalid = createError('INVALID_MULTIPART', 'Invalid multipart body', 400)
export const TooManyParts = createError('TOO_MANY_PARTS', 'Too many files or fields', 413)
export const FileMissing = createError('MISSING_FILE', 'The form contains no file', 400)

export const RecordNotFound = createError('RECORD_NOT_FOUND', 'Not found', 404)
export const PreconditionFailed = createError('PRECONDITION_FAILED', 'Precondition failed', 412)
export const EmailTaken = createError('EMAIL_TAKEN', 'Conflict', 409)
export const ValidationFailed = createError('VALIDATION_FAILED', 'Validation failed', 422)

export const IdempotencyKeyInvalid = createError(
  'IDEMPOTENCY_KEY_INVALID',
  'Idempotency-Key must have 1 to 255 characters',
  400
)
export const IdempotencyKeyReused = createError(
  'IDEMPOTENCY_KEY_REUSED',
  'Idempotency-Key was used for another request',
  422
)
export const IdempotencyKeyBusy = createError(
  'IDEMPOTENCY_KEY_BUSY',
  'The first request with this Idempotency-Key is still running',
  409
)

export const ScenarioUnknown = createError('UNKNOWN_SCENARIO', 'Unknown scenario', 400)
export const ScenarioInvalid = createError('INVALID_SCENARIO', 'Invalid scenario argument', 400)
export const PreflightByHeader = createError(
  'PREFLIGHT_BY_HEADER',
  'A preflight request has no custom headers: select cors-preflight by query, path or rule',
  400
)
export const SeedInvalid = createError(
  'INVALID_SEED',
  `A seed must have 1 to ${MAX_SEED_LENGTH} visible characters`,
  400
)
export const TooManyHeld = createError(
  'TOO_MANY_HELD',
  'Too many delayed requests, in all or from your IP address; see --scenarios-max-held',
  503
)

export const WorkspaceInvalid = createError(
  'INVALID_WORKSPACE',
  'A workspace name must have 1 to 64 letters, digits, _ or -',
  400
)
export const WorkspaceUnknown = createError('UNKNOWN_WORKSPACE', 'Workspace not found', 404)
export const WorkspaceNotCreated = createError(
  'UNKNOWN_WORKSPACE',
  'Workspace not found. A page of another site cannot create one with GET: create it with POST /_workspaces',
  404
)
export const TooManyWorkspaces = createError(
  'TOO_MANY_WORKSPACES',
  'All workspaces are in use: delete one, try again later or raise --scenarios-max-workspaces',
  503
)
export const WorkspaceTaken = createError('WORKSPACE_EXISTS', 'The workspace already exists', 409)
export const WorkspaceFull = createError('WORKSPACE_FULL', 'The workspace is full', 413)
export const WorkspaceKeyRequired = createError(
  'WORKSPACE_KEY_NEEDED',
  'Workspace key or admin token required: Authorization: Bearer …',
  401
)
export const PupilUnknown = createError(
  'UNKNOWN_PUPIL',
  'This browser has no workspace: open the URL of the class again',
  403
)
export const PupilNameInvalid = createError(
  'INVALID_NAME',
  'A name must have 1 to 40 characters, at least one of them visible',
  400
)
export const ControlInvalid = createError<[string]>('INVALID_CONTROL', '%s', 400)
export const MethodNotAllowed = createError('METHOD_NOT_ALLOWED', 'Method not allowed', 405)

/** Details of an error in addition to its message. */
export interface ErrorDetails {
  /** Further keys of the body, after `error`. */
  more?: Readonly<Record<string, unknown>>
  headers?: Readonly<Record<string, string>>
}

export type ScenarioError = FastifyError & ErrorDetails

export function withDetails(error: FastifyError, details: ErrorDetails): ScenarioError {
  return Object.assign(error, details)
}

/** RFC 6750: the header tells a client why its token was rejected. */
export function rejectToken(error: FastifyError): ScenarioError {
  const challenge =
    error.code === 'MISSING_TOKEN'
      ? 'Bearer'
      : `Bearer error="invalid_token", error_description="${error.message}"`
  return withDetails(error, { headers: { 'www-authenticate': challenge } })
}

export const JSON_TYPE = 'application/json; charset=utf-8'

/** Scripts of other origins can read only these response headers. */
const EXPOSED = [
  ...['ETag', 'Location', 'Link', 'Retry-After', 'WWW-Authenticate', 'Content-Disposition'],
  ...['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'],
  ...['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'],
  ...['X-Scenario-Applied', 'X-Error-Code', 'Idempotent-Replayed']
].join(', ')

export const CORS_HEADERS: Readonly<Record<string, string>> = Object.freeze({
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED
})

export const COMMON_HEADERS: Readonly<Record<string, string>> = Object.freeze({
  'x-content-type-options': 'nosniff'
})

const WITHOUT_BODY = ['ROUTE_NOT_FOUND', 'RECORD_NOT_FOUND']
const RETRY_SOON = { 'retry-after': '1' }

/** `{"error":…}`, with further keys if the error has details; the code is in a header. */
export function describeError(error: ScenarioError): {
  status: number
  body: string
  headers: Readonly<Record<string, string>>
  explanation: ErrorExplanation
} {
  const { statusCode: status = 500, more } = error
  const isOurs = status !== 500
  const message = isOurs ? error.message : 'Internal error'
  const code = isOurs ? error.code.toLowerCase() : 'internal_error'
  const body = WITHOUT_BODY.includes(error.code) ? {} : { error: message, ...more }
  return {
    status,
    body: JSON.stringify(body),
    headers: {
      'x-error-code': code,
      ...(status === 503 ? RETRY_SOON : {}),
      ...error.headers
    },
    explanation: { message, code }
  }
}

/** Renders errors outside of a request, such as malformed HTTP. */
export function renderError(error: ScenarioError): ErrorResponse {
  const { headers, ...described } = describeError(error)
  return {
    ...described,
    type: JSON_TYPE,
    headers: { ...CORS_HEADERS, ...COMMON_HEADERS, ...headers }
  }
}
