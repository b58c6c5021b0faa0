import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

export const ADMIN_COOKIE = 'nonet_admin'

/** Value of `Set-Cookie` for a browser that used the link printed at startup. */
export function adminCookie(token: string): string {
  return `${ADMIN_COOKIE}=${digestFor('cookie', token)}; Path=/; HttpOnly; SameSite=Strict`
}

/** Value that the forms of our own pages send, and that pages of other origins cannot read. */
export function formTokenOf(token: string): string {
  return digestFor('form', token)
}

/** Neither the token nor another digest can be computed from a digest. */
function digestFor(purpose: string, token: string): string {
  return createHmac('sha256', token).update(`nonet ${purpose}`).digest('base64url')
}

export function bearerToken({ authorization }: IncomingHttpHeaders): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
}

/** Any cookie of the name may be the right one: other ports of the host can set more of them. */
export function hasAdminCookie(cookie: string | undefined, token: string): boolean {
  if (cookie?.includes(ADMIN_COOKIE) !== true) return false
  const digest = digestFor('cookie', token)
  return cookie.split(';').some((pair) => {
    const [name = '', value] = pair.split('=', 2)
    return name.trim() === ADMIN_COOKIE && constantTimeEqual(value?.trim(), digest)
  })
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
