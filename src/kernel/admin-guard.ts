import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import createError from '@fastify/error'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { adminCookie, constantTimeEqual, isCrossOrigin, isSameOrigin } from './admin.ts'
import { HostNotAllowed, TokenMissing } from './errors.ts'
import { isOwnCall } from './forwarded.ts'
import type { Page } from './page.ts'
import { parseRequestTarget } from './request-target.ts'
import { sendPage } from './send-page.ts'

/** The message names the pages that may send state changes. */
export const OriginNotAllowed = createError<[string]>('FOREIGN_ORIGIN', '%s', 403)
export const PlainFormNotAllowed = createError(
  'PLAIN_FORM',
  'A form of any page could have sent this: send Content-Type: application/json, or the admin token in Authorization',
  403
)
export const OwnCallNotAllowed = createError(
  'OWN_CALL',
  'nonet does not call its own console and admin routes: use the URL of another server',
  403
)

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether nonet itself may call this route of the console. */
    acceptsOwnCalls?: boolean
  }
}

const NOT_PRINTED =
  'this request came through a proxy; nonet prints the token if --public-url is set'
const SAFE_METHODS = ['GET', 'HEAD']
/** Content types that a page can send to another origin without asking it first. */
const FORM_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain']
const FORM_TOKEN = 'form'

type Sent = Pick<IncomingMessage, 'headers' | 'method' | 'url'>

export interface SenderRules {
  isKnownHost: (host: string) => boolean
  /** Message of the error for a state change that is sent by a page of another origin. */
  originMessage: string
  /** Value that the forms of our own pages send. */
  formToken: string
  /** Whether the route may be called by nonet itself. */
  acceptsOwnCalls?: boolean | undefined
}

/**
 * Rejects unknown host names, which protects from DNS rebinding, requests that nonet itself sends,
 * and state changes that a page of another origin could have sent.
 */
export function checkSender(sent: Sent, rules: SenderRules): void {
  const { headers, method = 'GET' } = sent
  if (!rules.isKnownHost(headers.host ?? '')) throw new HostNotAllowed()
  if (!rules.acceptsOwnCalls) rejectOwnCall(headers)
  if (SAFE_METHODS.includes(method)) return
  if (isCrossOrigin(headers)) throw new OriginNotAllowed(rules.originMessage)
  if (couldBeOfAnyPage(sent) && !hasFormToken(sent, rules.formToken)) {
    throw new PlainFormNotAllowed()
  }
}

export function rejectOwnCall(headers: IncomingHttpHeaders): void {
  if (isOwnCall(headers)) throw new OwnCallNotAllowed()
}

/**
 * Whether a page of any origin could have sent this state change, if its browser is so old that it
 * sends neither `Origin` nor `Sec-Fetch-Site`.
 */
function couldBeOfAnyPage({ headers, method }: Sent): boolean {
  // Browsers ask the server first about other methods, and about Authorization.
  if (method !== 'POST' || headers.authorization !== undefined || isSameOrigin(headers)) {
    return false
  }
  const type = headers['content-type']
  if (type === undefined) return isOfPage(headers)
  // Node's `fetch` sends the mode without the site, which no browser does.
  const isNode = headers['sec-fetch-mode'] !== undefined && headers['sec-fetch-site'] === undefined
  const [essence = ''] = type.split(';', 1)
  return FORM_TYPES.includes(essence.trim().toLowerCase()) && !isNode
}

/** Test runners send the name of a browser too, but no languages. */
function isOfPage(headers: IncomingHttpHeaders): boolean {
  const isBrowser = headers['user-agent']?.startsWith('Mozilla/') === true
  return isBrowser && headers['accept-language'] !== undefined
}

function hasFormToken({ url = '' }: Sent, token: string): boolean {
  const query = new URLSearchParams(url.split('?').slice(1).join('?'))
  return constantTimeEqual(query.get(FORM_TOKEN) ?? undefined, token)
}

/** URL for the form of a page: with the token, because the body is read after the check. */
export function formAction(path: string, formToken: string): string {
  return `${path}?${FORM_TOKEN}=${formToken}`
}

/** The path exactly as sent, because a URL parser would resolve dots and backslashes. */
export function sentPath({ url }: FastifyRequest): string {
  return url.split('?', 1)[0] ?? ''
}

/**
 * Accepts `?token=…` of the link printed at startup: the browser gets a cookie and is redirected
 * to `path` without the token. False if the query has no valid token.
 */
export function acceptTokenLink(
  request: FastifyRequest,
  reply: FastifyReply,
  isToken: (given: string) => boolean,
  path?: string
): boolean {
  const target = parseRequestTarget(request.url)
  const token = new URLSearchParams(target.query).get('token')
  if (token === null || !isToken(token)) return false
  reply.header('set-cookie', adminCookie(token)).redirect(path ?? localPath(target.path), 303)
  return true
}

/** A browser would read two leading slashes or backslashes as the name of another host. */
function localPath(path: string): string {
  return path.replace(/^[/\\]+/, '/')
}

export interface TokenRequest {
  /** The page with the form. */
  tokenPage: (message: string) => Page
  /** Whether the token is printed at startup: not if only requests of a proxy need it. */
  isPrinted: boolean
}

/** Sends browsers a page with a form for the token; throws the error for other clients. */
export function askForToken(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { tokenPage, isPrinted }: TokenRequest
): FastifyReply {
  const missing = new TokenMissing(isPrinted ? 'printed at startup' : NOT_PRINTED)
  if (headers.accept?.includes('text/html') !== true) throw missing
  return sendPage(reply.code(401), tokenPage(missing.message))
}
