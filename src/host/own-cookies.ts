import type { IncomingMessage } from 'node:http'
import { ADMIN_COOKIE, hasAdminCookie } from '../kernel/admin.ts'

/** All cookies of nonet have this prefix. Browsers send them to every port of the host. */
const PREFIX = 'nonet_'

export interface OwnCookies {
  /** Removes nonet's cookies, except those of the service, before anything records or forwards them. */
  hide: (request: IncomingMessage, kept: readonly string[]) => void
  /** Whether the request had the admin cookie. */
  hadAdminCookie: (request: IncomingMessage) => boolean
}

export function createOwnCookies(token: string): OwnCookies {
  const admins = new WeakSet<IncomingMessage>()
  return {
    hide(request, kept) {
      const { headers } = request
      const { cookie } = headers
      if (cookie?.includes(PREFIX) !== true) return
      if (hasAdminCookie(cookie, token)) admins.add(request)
      const left = cookie.split(';').filter((pair) => {
        const name = pair.split('=', 1)[0]?.trim() ?? ''
        return !name.startsWith(PREFIX) || (name !== ADMIN_COOKIE && kept.includes(name))
      })
      if (left.length === 0) delete headers.cookie
      else headers.cookie = left.join(';').trim()
    },
    hadAdminCookie: (request) => admins.has(request)
  }
}
