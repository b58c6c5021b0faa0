import type { IncomingMessage } from 'node:http'
import createError from '@fastify/error'
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify'

export const RouteNotFound = createError<[string, string]>('ROUTE_NOT_FOUND', 'No route %s %s', 404)
export const MalformedRequest = createError('MALFORMED_REQUEST', 'Malformed HTTP request', 400)
export const HostRepeated = createError(
  'MALFORMED_REQUEST',
  'The request has more than one Host header; send exactly one',
  400
)
export const RequestTimedOut = createError('REQUEST_TIMED_OUT', 'The request took too long', 408)
export const UpgradeNotAllowed = createError(
  'UPGRADE_REFUSED',
  'This service does not support WebSockets',
  400
)
export const HeadersTooLarge = createError('HEADERS_TOO_LARGE', 'Request headers too large', 431)
export const HostNotAllowed = createError(
  'FOREIGN_HOST',
  'Host name not allowed; allow it with --allowed-host',
  421
)
/** The message says how operators learn the token. */
export const TokenMissing = createError<[string]>(
  'TOKEN_MISSING',
  'Admin token required (%s): Authorization: Bearer …',
  401
)

/** A start or command that cannot succeed; the message says why and what to do. */
export class UserError extends Error {
  override name = 'UserError'
}

export interface ErrorResponse {
  status: number
  body: string | Uint8Array
  type: string
  headers?: Readonly<Record<string, string>>
  /** For the page that people get in a browser; undefined if they get none. */
  explanation?: ErrorExplanation
}

/** What a page says about an error. */
export interface ErrorExplanation {
  message: string
  code?: string
  /** Further pages to continue with. */
  links?: readonly { readonly href: string; readonly text: string }[]
}

/**
 * The page for this error if the client is to get one, otherwise the error unchanged. `url` is the
 * request target as sent, which a router may have rewritten.
 */
export type PresentError = (
  request: IncomingMessage,
  url: string,
  rendered: ErrorResponse
) => ErrorResponse | Promise<ErrorResponse>

/** Sets the wire format of errors for the application of one service. */
export function installErrorHandlers(
  app: FastifyInstance,
  render: (error: FastifyError) => ErrorResponse,
  report: (error: Error) => void,
  present: PresentError
): void {
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    // Errors that are meant for clients have a status; an error without one is a defect of nonet.
    if (error.statusCode === undefined) report(error)
    const presented = present(request.raw, request.originalUrl, render(error))
    return presented instanceof Promise
      ? presented.then((page) => sendError(reply, page))
      : sendError(reply, presented)
  })
  app.setNotFoundHandler((request) => {
    throw new RouteNotFound(request.method, request.url)
  })
}

function sendError(reply: FastifyReply, rendered: ErrorResponse): FastifyReply {
  const { status, body, type, headers = {} } = rendered
  return reply.code(status).headers(headers).type(type).send(body)
}

/** Whether the database failed; a log line names the file and the reason. */
export function isStorageError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('STORAGE_')
}
