import type { IncomingMessage } from 'node:http'
import { sessionCookieName } from '../kernel/page-session.ts'

/** All cookies of nonet have this prefix. Browsers send them to every port of the host. */
const PREFIX = 'nonet_'

export interface OwnCookies {
  /**
   * Removes nonet's cookies, except those that the service sets, before anything records or
   * forwards them.
   */
  hide: (request: IncomingMessage, service: string, kept: readonly string[]) => void
  /** Values of the session cookie that the request had: other ports of the host can set more. */
  sessionCookies: (request: IncomingMessage) => readonly string[]
}

export function createOwnCookies(): OwnCookies {
  const sessions = new WeakMap<IncomingMessage, readonly string[]>()
  return {
    hide(request, service, kept) {
      const { headers } = request
      const { cookie } = headers
      if (cookie?.includes(PREFIX) !== true) return
      const session = sessionCookieName(service)
      const values: string[] = []
      const left = cookie.split(';').filter((pair) => {
        const [name = '', value = ''] = pair.split('=', 2).map((part) => part.trim())
        if (name === session) values.push(value)
        return !name.startsWith(PREFIX) || (name !== session && kept.includes(name))
      })
      sessions.set(request, values)
      if (left.length === 0) delete headers.cookie
      else headers.cookie = left.join(';').trim()
    },
    sessionCookies: (request) => sessions.get(request) ?? []
  }
}
