import type { IncomingHttpHeaders } from 'node:http'
import type { SecurityScheme } from '../model/api.ts'
import type { Pair, Query } from '../request/query-string.ts'

export interface Credentials {
  headers: IncomingHttpHeaders
  query: Query
  cookies: () => ReadonlyMap<string, readonly Pair[]>
}

export interface Verdict {
  passes: boolean
  /** Value of the `WWW-Authenticate` header. */
  challenge?: string
}

/** Checks only that a credential exists and is well-formed, never that it is correct. */
export type SchemeCheck = (credentials: Credentials) => Verdict

const PASS: Verdict = { passes: true }
const FAIL: Verdict = { passes: false }

const DIGEST_FIELDS = ['username', 'realm', 'nonce', 'uri', 'response']

/** Undefined if the scheme is unknown. */
export function createSchemeCheck(scheme: SecurityScheme): SchemeCheck | undefined {
  if (scheme.type === 'oauth2') return createBearer('OAuth2')
  if (scheme.type === 'openIdConnect') return createBearer('OpenID')
  if (scheme.type === 'apiKey') return createApiKey(scheme)
  if (scheme.type !== 'http') return undefined
  if (scheme.scheme === 'bearer') return createBearer('Bearer')
  if (scheme.scheme === 'basic') return checkBasic
  if (scheme.scheme === 'digest') return checkDigest
  return undefined
}

/** Passes only without an `Authorization` header; otherwise fails with the challenge `None`. */
export const checkAnonymous: SchemeCheck = ({ headers }) =>
  headers.authorization === undefined ? PASS : { passes: false, challenge: 'None' }

export function describeScheme({ type, scheme, key }: SecurityScheme): string {
  if (type === 'unknown') return key
  return type === 'http' && scheme !== undefined ? `http ${scheme}` : type
}

/** RFC 9110 §11.4: a case-insensitive scheme, then its credentials. */
function readAuthorization({ headers }: Credentials): { scheme: string; token: string } {
  const text = headers.authorization ?? ''
  const space = text.indexOf(' ')
  if (space === -1) return { scheme: text.toLowerCase(), token: '' }
  return { scheme: text.slice(0, space).toLowerCase(), token: text.slice(space + 1).trim() }
}

function createBearer(challenge: string): SchemeCheck {
  const failed = { passes: false, challenge }
  return function checkBearer(credentials) {
    const { scheme, token } = readAuthorization(credentials)
    return scheme === 'bearer' && token !== '' ? PASS : failed
  }
}

/** RFC 7617: the name ends at the first colon; the password may contain more of them. */
function checkBasic(credentials: Credentials): Verdict {
  const { scheme, token } = readAuthorization(credentials)
  if (scheme !== 'basic') return { passes: false, challenge: 'Basic realm="*"' }
  if (!/^[\w+/-]+={0,2}$/.test(token)) return FAIL
  return Buffer.from(token, 'base64').includes(':') ? PASS : FAIL
}

function checkDigest(credentials: Credentials): Verdict {
  const failed = { passes: false, challenge: 'Digest realm="*", nonce="abc123"' }
  const { scheme, token } = readAuthorization(credentials)
  if (scheme !== 'digest') return failed
  const given = new Set(token.split(',').map((part) => part.split('=', 1)[0]?.trim().toLowerCase()))
  return DIGEST_FIELDS.every((field) => given.has(field)) ? PASS : failed
}

function createApiKey({ name = '', in: location }: SecurityScheme): SchemeCheck | undefined {
  const key = name.toLowerCase()
  const holds = (pairs: readonly Pair[] | undefined) =>
    pairs?.some((pair) => pair.name === name && pair.raw !== '') ? PASS : FAIL
  if (location === 'header') {
    return ({ headers }) => (Object.hasOwn(headers, key) && headers[key] !== '' ? PASS : FAIL)
  }
  if (location === 'query') return ({ query }) => holds(query.byName.get(key))
  return location === 'cookie' ? ({ cookies }) => holds(cookies().get(key)) : undefined
}
