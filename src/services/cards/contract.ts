import createError from '@fastify/error'
import type { FastifyError } from 'fastify'
import type { ErrorResponse } from '../../kernel/errors.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'
export const TEXT_TYPE = 'text/plain; charset=utf-8'
/** Of files as they were uploaded. */
export const DOWNLOAD_TYPE = 'application/octet-stream'
export const PROBLEM_TYPE = 'application/problem+json'

/** Of all responses: any site may read them, and browsers take the type as it is. */
export const COMMON_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, PUT, POST, DELETE',
  'access-control-allow-headers': 'Authorization, Accept, Content-Type',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer'
} as const

/** Of responses that are not pages. */
export const DATA_POLICY = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'"
}

/** Of files: any site may show images; opened directly, nothing loads or runs. */
export const FILE_POLICY = {
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin'
}
export const FILE_CACHE = {
  /** The URL contains the hash of the image. */
  image: 'public, max-age=31536000, immutable',
  preview: 'public, no-cache',
  withToken: 'private, no-cache'
} as const

/** Of the compatible API. */
export const API_CACHE = 'max-age=0, no-cache, no-store'

export const IdInvalid = createError('ID_INVALID', 'invalid id', 400)
export const ValueInvalid = createError<[parameter: string]>(
  'VALUE_INVALID',
  'invalid value for %s',
  400
)
/** A sentence of its own. */
export const RequestInvalid = createError<[string]>('REQUEST_INVALID', '%s', 400)
export const TokenInvalid = createError('TOKEN_INVALID', 'invalid token', 401)
/** The token lacks the scope, or there is no token. */
export const PermissionMissing = createError(
  'PERMISSION_MISSING',
  'unauthorized permission requested',
  401
)
export const LimitReached = createError<[string]>('LIMIT_REACHED', '%s', 403)
/** Also for objects of others. */
export const ObjectUnknown = createError(
  'OBJECT_UNKNOWN',
  'The requested resource was not found.',
  404
)
export const RouteUnknown = createError<[method: string, path: string]>(
  'ROUTE_UNKNOWN',
  'Cannot %s %s',
  404
)
export const BodyTooLarge = createError<[number]>(
  'BODY_TOO_LARGE',
  'The request or one of its parts is too large; the maximum is %s bytes',
  413
)
export const FilesBusy = createError('FILES_BUSY', 'Too many images are processed; try again', 503)
export const LinkNotCopied = createError<[reason: string]>(
  'LINK_NOT_COPIED',
  'The url could not be downloaded (%s); attach it without copy, or upload the file',
  400
)
// Webhooks; the first two sentences are Trello's.
export const WebhookExists = createError(
  'WEBHOOK_EXISTS',
  'A webhook with that callback, model, and token already exists',
  400
)
export const CallbackFailed = createError<[url: string, status: number]>(
  'CALLBACK_FAILED',
  'URL (%s) did not return 200 status code, got %s',
  400
)
export const CallbackUnreachable = createError<[url: string, reason: string]>(
  'CALLBACK_UNREACHABLE',
  'URL (%s) could not be reached with HEAD (%s)',
  400
)
/** A webhook of nonet that leads to its own API would never end. */
export const OwnDelivery = createError(
  'OWN_DELIVERY',
  'Deliveries of webhooks are not accepted here',
  400
)
/** Of images. */
export const MethodNotAllowed = createError(
  'METHOD_NOT_ALLOWED',
  'The method must be GET or HEAD',
  405
)
/** The body is JSON. */
export const TooManyRequests = createError('API_TOKEN_LIMIT_EXCEEDED', 'Rate limit exceeded', 429)
export const KeyLimitExceeded = createError('API_KEY_LIMIT_EXCEEDED', 'Rate limit exceeded', 429)

// Tokens and their pages.
export const MemberUnknown = createError<[string]>(
  'MEMBER_UNKNOWN',
  'There is no member %s; nonet token create cards --new-member adds one',
  404
)
export const MemberTaken = createError<[string]>(
  'MEMBER_TAKEN',
  'There is already a member %s',
  409
)
export const MemberNameInvalid = createError<[string]>(
  'MEMBER_NAME_INVALID',
  'The user name %s is not possible: 1 to 30 letters, digits and _, and not me',
  400
)
export const MemberFlagMissing = createError(
  'MEMBER_FLAG_MISSING',
  '--new-member needs --member with the user name',
  400
)
export const MemberNotChosen = createError<[string]>(
  'MEMBER_NOT_CHOSEN',
  'There are several members: choose one with --member (%s)',
  400
)
export const BoardUnknown = createError<[string]>(
  'BOARD_UNKNOWN',
  'The member has no board %s; name its slug, id or short link',
  404
)
export const OneBoardNeeded = createError(
  'ONE_BOARD_NEEDED',
  'A publishable key is for exactly one board: name it with --board',
  400
)

// Signed-in pages.
export const SessionMissing = createError(
  'SESSION_MISSING',
  'You are not signed in, or the session has ended: sign in and send it again',
  401
)
export const TokenNotAccepted = createError(
  'TOKEN_NOT_ACCEPTED',
  'This token is unknown, expired or revoked',
  401
)
export const PublishableKeyGiven = createError(
  'PUBLISHABLE_KEY_GIVEN',
  'This is a publishable key for web pages: paste the token of a member',
  401
)
export const ReadScopeMissing = createError(
  'READ_SCOPE_MISSING',
  'This token may not read boards: paste one with the scope read',
  401
)
export const WriteScopeMissing = createError(
  'WRITE_SCOPE_MISSING',
  'The token you signed in with may only read: sign in with one that may write',
  403
)
export const AdminScopeMissing = createError(
  'ADMIN_SCOPE_MISSING',
  'The token you signed in with may not do this: it needs the scope admin',
  403
)

/** `errors` has the sentences by field. */
export const FormInvalid = createError<[string]>('FORM_INVALID', '%s', 400)
export const BoardLimitedToken = createError(
  'BOARD_LIMITED_TOKEN',
  'The token you signed in with is limited to its boards, so it cannot add one',
  403
)
export const OperatorNeeded = createError(
  'OPERATOR_NEEDED',
  'Only the operator, who signs in from the console, can be another member',
  403
)
export const ImportRunning = createError(
  'IMPORT_RUNNING',
  'Another import is running; wait until it has ended',
  409
)
export const ImportFileMissing = createError(
  'IMPORT_FILE_MISSING',
  'Choose the export of a board: a JSON file, or a zip with its files',
  400
)
export const PositionUnknown = createError(
  'POSITION_UNKNOWN',
  'The list it was to be moved before is no longer there; reload the page',
  409
)

// Console routes of import and export.
export const ImportInvalid = createError<[string]>('IMPORT_INVALID', '%s', 400)
export const ImportTooLarge = createError<[number]>(
  'IMPORT_TOO_LARGE',
  'It is too large; the maximum is %s bytes',
  413
)
export const ImportAborted = createError('IMPORT_ABORTED', 'The request body is incomplete', 400)
/** The same sentence for boards of others, so that it tells nothing about them. */
export const ImportConflict = createError(
  'IMPORT_CONFLICT',
  'The id of the board is in use already; --new-ids imports a copy with ids of its own',
  409
)
export const FileUnknown = createError<[string]>(
  'FILE_UNKNOWN',
  'The file %s is not stored; upload it first',
  409
)
export const BoardNameUnknown = createError<[string]>(
  'BOARD_NAME_UNKNOWN',
  'There is no board %s; name its slug, id or short link',
  404
)
export const BoardAmbiguous = createError<[string]>(
  'BOARD_AMBIGUOUS',
  'Several boards are called %s; name the id or short link',
  409
)
export const BoardMissing = createError(
  'BOARD_MISSING',
  'There is no open board yet; nonet import cards stores one',
  404
)
export const BoardNotChosen = createError<[string]>(
  'BOARD_NOT_CHOSEN',
  'There are several boards: choose one with --board (%s)',
  400
)
export const BoardNotPublic = createError<[string]>(
  'BOARD_NOT_PUBLIC',
  'The board %s is closed, so the public sees nothing of it',
  409
)
/** A sentence that begins with the file. */
export const DownloadFailed = createError<[string]>('DOWNLOAD_FAILED', '%s', 422)

// The content API.
export const ContentInvalid = createError<[string]>('CONTENT_INVALID', '%s', 400)
export const ContentMethodNotAllowed = createError<[method: string, allowed: string]>(
  'CONTENT_METHOD_NOT_ALLOWED',
  '%s is not allowed here; allowed: %s',
  405
)
export const TypesUrlInvalid = createError<[string]>(
  'TYPES_URL_INVALID',
  '%s is not a URL of http or https',
  400
)
export const SlugUsed = createError<[string]>('SLUG_USED', 'The slug %s is already used', 409)

// The board page.
/** `by` begins with a space or is empty; the last part tells which list the card is in. */
export const CardChanged = createError<[name: string, by: string, time: string, where: string]>(
  'CARD_CHANGED',
  'Meanwhile “%s” was changed%s (%s): it %s now. Nothing was overwritten; look at it and try again',
  409
)
export const NoSuchList = createError<[role: string]>(
  'NO_SUCH_LIST',
  'The board has no open list with the role %s',
  409
)
export const ListArchived = createError<[name: string]>(
  'LIST_ARCHIVED',
  'The list %s is archived now',
  409
)
export const StreamsBusy = createError(
  'STREAMS_BUSY',
  'Too many pages follow boards; the page works without it',
  503
)
export const UndoEnded = createError(
  'UNDO_ENDED',
  'This can no longer be undone: 30 seconds have passed, or something else was moved or deleted',
  409
)
export const UndoNotPossible = createError<[reason: string]>(
  'UNDO_NOT_POSSIBLE',
  'This cannot be undone: %s',
  409
)

/** Of responses that shared caches may keep: they ask again after a minute, and meanwhile send them. */
export const PUBLIC_CACHE = 'public, max-age=0, s-maxage=60, stale-while-revalidate=600'
export const PRIVATE_CACHE = 'private, no-cache'

/** Of all responses of the content API; scripts of other sites may read the ETag and send it back. */
export const CONTENT_HEADERS = {
  ...COMMON_HEADERS,
  'access-control-allow-methods': 'GET, HEAD, PATCH, POST, OPTIONS',
  'access-control-allow-headers': 'Authorization, Accept, Content-Type, If-None-Match',
  'access-control-expose-headers': 'ETag, Location, Retry-After',
  ...DATA_POLICY
} as const

/** What to do about errors whose sentence is Trello's; the same whether something exists or not. */
const DETAILS: Readonly<Record<string, string>> = {
  OBJECT_UNKNOWN:
    'It does not exist, or is not visible with this credential: boards that are not public need a token or a publishable key of theirs',
  PERMISSION_MISSING: "Send a member's token with the scope write as Authorization: Bearer <token>",
  TOKEN_INVALID: 'The token is unknown, expired, revoked or of another kind'
}

/** A bare sentence, which clients show as the message; problem details below `/content`. */
export function renderError(
  error: FastifyError & {
    headers?: Record<string, string>
    isProblem?: boolean
    links?: NonNullable<ErrorResponse['explanation']>['links']
  }
): ErrorResponse {
  const status = error.statusCode ?? 500
  const message = status === 500 ? 'Internal error' : error.message
  const code = status === 500 ? 'INTERNAL' : error.code
  const format =
    error.isProblem === true ? problem(status, message, code) : text(status, message, code)
  return {
    status,
    ...format,
    headers: { ...COMMON_HEADERS, ...DATA_POLICY, 'cache-control': API_CACHE, ...error.headers },
    explanation: { message, code, ...(error.links && { links: error.links }) }
  }
}

/** An error of one request of a batch, by its status; throws one that is no response. */
export function errorForBatch(error: unknown): object {
  const { statusCode, code, message } = error as Partial<FastifyError>
  if (statusCode === undefined) throw error
  return { [statusCode]: { name: code, message, statusCode } }
}

function text(status: number, message: string, code: string): Pick<ErrorResponse, 'type' | 'body'> {
  if (status !== 429) return { type: TEXT_TYPE, body: message }
  return { type: JSON_TYPE, body: JSON.stringify({ error: code, message }) }
}

function problem(
  status: number,
  message: string,
  code: string
): Pick<ErrorResponse, 'type' | 'body'> {
  const detail = DETAILS[code]
  const body = { type: 'about:blank', title: message, status, ...(detail && { detail }), code }
  return { type: PROBLEM_TYPE, body: JSON.stringify(body) }
}
