import createError from '@fastify/error'
import type { FastifyError } from 'fastify'
import { preflightPolicy } from '../../kernel/cors.ts'
import type { ErrorResponse } from '../../kernel/errors.ts'

/** The public address is the bare host; much code in use says `/graphql`. */
export const GRAPHQL_PATHS: readonly string[] = ['/', '/graphql', '/graphql/']

// Failures around GraphQL. Those of documents and values are worded by the engine.
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

/** On every answer: nothing here is private. */
export const COMMON_HEADERS: Readonly<Record<string, string>> = Object.freeze({
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, X-Data-Version',
  'x-content-type-options': 'nosniff'
})

export const PREFLIGHT_HEADERS: Readonly<Record<string, string>> = Object.freeze({
  ...COMMON_HEADERS,
  ...preflightPolicy('GET, POST', 86_400)
})

/** The name that the framework has for it is not ours to show. */
const UNREADABLE_ADDRESS = 'FST_ERR_BAD_URL'

/** The envelope of GraphQL, for what never gets as far as GraphQL too. */
export function renderError(error: FastifyError): ErrorResponse {
  const status = error.statusCode ?? 500
  return {
    status,
    body: JSON.stringify({ errors: [describe(error, status)] }),
    type: JSON_TYPE,
    headers: COMMON_HEADERS
  }
}

function describe({ code, message }: FastifyError, status: number) {
  if (code === UNREADABLE_ADDRESS) {
    return { message: 'The URL is not valid', extensions: { code: 'MALFORMED_REQUEST' } }
  }
  return status < 500
    ? { message, extensions: { code } }
    : { message: 'Unexpected error.', extensions: { code: 'INTERNAL_SERVER_ERROR' } }
}
