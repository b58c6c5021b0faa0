import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import createError from '@fastify/error'
import type { FastifyRequest } from 'fastify'
import { isCrossOrigin, isSameOrigin } from './admin.ts'
import { HostNotAllowed } from './errors.ts'
import { hasFormToken } from './form-token.ts'
import { isOwnCall } from './forwarded.ts'

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

/** Methods that change no state. */
export const SAFE_METHODS: readonly string[] = ['GET', 'HEAD']
/** Content types that a page can send to another origin without asking it first. */
const FORM_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain']

type Sent = Pick<IncomingMessage, 'headers' | 'method' | 'url'>

export interface SenderRules {
  isKnownHost: (host: string) => boolean
  /** Message of the error for a state change that is sent by a page of another origin. */
  originMessage: string
  /** Key of the tokens that the forms of our own pages send; undefined if no form leads here. */
  formKey?: string | undefined
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
  const { formKey } = rules
  const isOfOwnForm = formKey !== undefined && hasFormToken(sent, formKey)
  if (couldBeOfAnyPage(sent) && !isOfOwnForm) throw new PlainFormNotAllowed()
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

/** The path exactly as sent, because a URL parser would resolve dots and backslashes. */
export function sentPath({ url }: FastifyRequest): string {
  return url.split('?', 1)[0] ?? ''
}
