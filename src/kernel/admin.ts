import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

const COOKIE = 'nonet_admin'

/** What a browser sends back after it came in by the link printed at the start. */
export function adminCookie(token: string): string {
  return `${COOKIE}=${token}; Path=/; HttpOnly; SameSite=Strict`
}

export function bearerToken({ authorization }: IncomingHttpHeaders): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
}

export function hasAdminToken(headers: IncomingHttpHeaders, token: string): boolean {
  const cookie = new RegExp(`(?:^|; )${COOKIE}=([^;]*)`).exec(headers.cookie ?? '')?.[1]
  return constantTimeEqual(bearerToken(headers), token) || constantTimeEqual(cookie, token)
}

/** Whether a page of somebody else's sent this. */
export function isCrossOrigin({ origin, host, ...headers }: IncomingHttpHeaders): boolean {
  if (headers['sec-fetch-site'] === 'cross-site') return true
  return origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`
}

/** Hashing first makes the lengths equal, so the time tells nothing. */
export function constantTimeEqual(given: string | undefined, token: string): boolean {
  if (given === undefined) return false
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(token))
}
