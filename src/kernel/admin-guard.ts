import type { IncomingMessage } from 'node:http'
import createError from '@fastify/error'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { adminCookie, isCrossOrigin } from './admin.ts'
import { HostNotAllowed, TokenMissing } from './errors.ts'
import { PAGE_HEADERS } from './page.ts'

/** The message names the pages that may change something. */
export const OriginNotAllowed = createError<[string]>('FOREIGN_ORIGIN', '%s', 403)

const SAFE_METHODS = ['GET', 'HEAD']

export interface SenderRules {
  isKnownHost: (host: string) => boolean
  /** Message of the error for a change that a page of another origin asks for. */
  originMessage: string
}

/**
 * Rejects host names of others, which a rebound DNS name would have, and changes that a page of
 * another origin asks for (`Origin`, `Sec-Fetch-Site`).
 */
export function checkSender(
  { headers, method = 'GET' }: Pick<IncomingMessage, 'headers' | 'method'>,
  { isKnownHost, originMessage }: SenderRules
): void {
  if (!isKnownHost(headers.host ?? '')) throw new HostNotAllowed()
  if (!SAFE_METHODS.includes(method) && isCrossOrigin(headers)) {
    throw new OriginNotAllowed(originMessage)
  }
}

/** The path as it was sent: a URL parser would resolve dots and backslashes. */
export function sentPath({ url }: FastifyRequest): string {
  return url.split('?', 1)[0] ?? ''
}

/**
 * Accepts `?token=…` of the link printed at the start: the browser gets a cookie and is sent to
 * `path` without the token. False if the query has no valid token.
 */
export function acceptTokenLink(
  request: FastifyRequest,
  reply: FastifyReply,
  isToken: (given: string) => boolean,
  path?: string
): boolean {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost')
  const token = searchParams.get('token')
  if (token === null || !isToken(token)) return false
  reply.header('set-cookie', adminCookie(token)).redirect(path ?? pathname, 303)
  return true
}

/** Browsers get a page with a form for the token, other clients the error. */
export function askForToken(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  renderTokenPage: (message: string) => string
): FastifyReply {
  const missing = new TokenMissing()
  if (headers.accept?.includes('text/html') !== true) throw missing
  return reply.code(401).headers(PAGE_HEADERS).send(renderTokenPage(missing.message))
}
