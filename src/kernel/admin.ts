import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** Key of the form tokens on pages that are shown without a session; the token stays secret. */
export function formKeyOf(token: string): string {
  return createHmac('sha256', token).update('nonet form').digest('base64url')
}

export function bearerToken({ authorization }: IncomingHttpHeaders): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
}

/** Whether the request was sent by a page of another origin. */
export function isCrossOrigin({ origin, host, ...headers }: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site']
  if (site === 'cross-site' || site === 'same-site') return true
  return origin !== undefined && !isOriginOf(host, origin)
}

/** Whether the request was sent by a page of the same origin, which a browser vouches for. */
export function isSameOrigin({ origin, host, ...headers }: IncomingHttpHeaders): boolean {
  if (headers['sec-fetch-site'] === 'same-origin') return true
  return origin !== undefined && isOriginOf(host, origin)
}

function isOriginOf(host: string | undefined, origin: string): boolean {
  return origin === `http://${host}` || origin === `https://${host}`
}

/** Both values are hashed, so that their lengths are equal and the time does not depend on them. */
export function constantTimeEqual(given: string | undefined, token: string): boolean {
  if (given === undefined) return false
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(token))
}
