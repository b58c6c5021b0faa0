import type { IncomingMessage } from 'node:http'
import createError from '@fastify/error'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { adminCookie, isCrossOrigin } from './admin.ts'
import { HostNotAllowed, TokenMissing } from './errors.ts'
import { PAGE_HEADERS } from './page.ts'

/** The message names the pages that may send state changes. */
export const OriginNotAllowed = createError<[string]>('FOREIGN_ORIGIN', '%s', 403)

const SAFE_METHODS = ['GET', 'HEAD']

export interface SenderRules {
  isKnownHost: (host: string) => boolean
  /** Message of the error for a state change that is sent by a page of another origin. */
  originMessage: string
}

/**
 * Rejects unknown host names, which protects from DNS rebinding, and state changes that a page of
 * another origin sends (`Origin`, `Sec-Fetch-Site`).
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
  const { pathname, searchParams } = new URL(request.url, 'http://localhost')
  const token = searchParams.get('token')
  if (token === null || !isToken(token)) return false
  reply.header('set-cookie', adminCookie(token)).redirect(path ?? pathname, 303)
  return true
}

/** Sends browsers a page with a form for the token; throws the error for other clients. */
export function askForToken(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  renderTokenPage: (message: string) => string
): FastifyReply {
  const missing = new TokenMissing()
  if (headers.accept?.includes('text/html') !== true) throw missing
  return reply.code(401).headers(PAGE_HEADERS).send(renderTokenPage(missing.message))
}
