import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

const COOKIE = 'nonet_admin'

/** Value of `Set-Cookie` for a browser that used the link printed at startup. */
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

/** Whether the request was sent by a page of another origin. */
export function isCrossOrigin({ origin, host, ...headers }: IncomingHttpHeaders): boolean {
  if (headers['sec-fetch-site'] === 'cross-site') return true
  return origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`
}

/** Both values are hashed, so that their lengths are equal and the time does not depend on them. */
export function constantTimeEqual(given: string | undefined, token: string): boolean {
  if (given === undefined) return false
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(token))
}
