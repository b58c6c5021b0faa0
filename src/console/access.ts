import type { FastifyInstance } from 'fastify'
import { constantTimeEqual, hasAdminToken } from '../kernel/admin.ts'
import { acceptTokenLink, askForToken, checkSender, sentPath } from '../kernel/admin-guard.ts'
import { renderTokenPage } from './start-page.ts'

export interface AccessOptions {
  isKnownHost: (host: string) => boolean
  /** Asked for when it is set, that is beyond loopback. */
  token: string | undefined
}

/** A probe has no token and learns nothing here. */
const OPEN_PATHS = ['/healthz', '/readyz']
const ORIGIN_MESSAGE = 'State changes are only accepted from the console itself'

/** What stands between a web page somewhere else and the console. */
export function guard(app: FastifyInstance, { isKnownHost, token }: AccessOptions): void {
  app.addHook('onRequest', async function protectConsole(request, reply) {
    checkSender(request, { isKnownHost, originMessage: ORIGIN_MESSAGE })
    if (token === undefined || OPEN_PATHS.includes(sentPath(request))) return
    if (hasAdminToken(request.headers, token)) return
    if (acceptTokenLink(request, reply, (given) => constantTimeEqual(given, token))) return reply
    return askForToken(request, reply, renderTokenPage)
  })
}
