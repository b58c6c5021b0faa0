import type { IncomingMessage } from 'node:http'
import { allowRequestedHeaders } from '../../../kernel/cors.ts'
import { ACCESS_COOKIE, REFRESH_COOKIE } from '../api/auth/bearer.ts'
import { CORS_HEADERS } from '../contract.ts'

const METHODS = 'GET,HEAD,PUT,PATCH,POST,DELETE'
const MAX_AGE_SECONDS = '600'

/** Browsers reject `*` in responses to requests with credentials. */
export function corsHeaders(
  request: IncomingMessage,
  route: { readonly takesCookies?: true } | undefined
): Readonly<Record<string, string>> {
  const { origin } = request.headers
  return route?.takesCookies || hasOurCookie(request) ? named(origin) : CORS_HEADERS
}

export function hasOurCookie({ headers: { cookie } }: IncomingMessage): boolean {
  return cookie?.includes(ACCESS_COOKIE) === true || cookie?.includes(REFRESH_COOKIE) === true
}

/** A preflight does not tell whether credentials will follow, so the origin is named. */
export function preflightHeaders({ headers }: IncomingMessage): Record<string, string> {
  return {
    ...named(headers.origin),
    'access-control-allow-methods': METHODS,
    ...allowRequestedHeaders(headers),
    'access-control-max-age': MAX_AGE_SECONDS,
    vary: 'Origin, Access-Control-Request-Headers'
  }
}

/** Sandboxed pages and local files have the origin `null`, which must not send cookies. */
function named(origin: string | undefined): Readonly<Record<string, string>> {
  if (origin === undefined || !/^https?:\/\//.test(origin)) return CORS_HEADERS
  return {
    ...CORS_HEADERS,
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    vary: 'Origin'
  }
}
