import createError from '@fastify/error'
import type { FastifyError } from 'fastify'
import { preflightPolicy } from '../../kernel/cors.ts'
import type { ErrorResponse } from '../../kernel/errors.ts'

/** The URL of countries.trevorblades.com is the bare host; many clients use `/graphql`. */
export const GRAPHQL_PATHS: readonly string[] = ['/', '/graphql', '/graphql/']

// Errors of the HTTP layer. Errors of documents and values are created by the engine.
export const BodyTooLarge = createError<[number]>(
  'BODY_TOO_LARGE',
  'The request body exceeds %s bytes',
  413
)
export const BodyAborted = createError('BODY_ABORTED', 'The request body is incomplete', 400)
export const CountryNotFound = createError<[string]>(
  'COUNTRY_NOT_FOUND',
  'Country %s not found',
  404
)

export const JSON_TYPE = 'application/json; charset=utf-8'
export const CACHE_CONTROL = 'public, max-age=3600'

/** Headers of every response; the data is public. */
export const COMMON_HEADERS: Readonly<Record<string, string>> = Object.freeze({
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, X-Data-Version',
  'x-content-type-options': 'nosniff'
})

export const PREFLIGHT_HEADERS: Readonly<Record<string, string>> = Object.freeze({
  ...COMMON_HEADERS,
  ...preflightPolicy('GET, POST', 86_400)
})

/** Fastify's code for an invalid URL; clients receive MALFORMED_REQUEST instead. */
const UNREADABLE_URL = 'FST_ERR_BAD_URL'

/** Renders errors in GraphQL's format, also for requests that do not reach the engine. */
export function renderError(error: FastifyError): ErrorResponse {
  const status = error.statusCode ?? 500
  const described = describe(error, status)
  return {
    status,
    body: JSON.stringify({ errors: [described] }),
    type: JSON_TYPE,
    headers: COMMON_HEADERS,
    explanation: { message: described.message, code: described.extensions.code }
  }
}

function describe({ code, message }: FastifyError, status: number) {
  if (code === UNREADABLE_URL) {
    return { message: 'The URL is not valid', extensions: { code: 'MALFORMED_REQUEST' } }
  }
  return status < 500
    ? { message, extensions: { code } }
    : { message: 'Unexpected error.', extensions: { code: 'INTERNAL_SERVER_ERROR' } }
}
