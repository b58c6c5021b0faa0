import type { FastifyInstance } from 'fastify'
import { constantTimeEqual, hasAdminToken } from '../kernel/admin.ts'
import { acceptTokenLink, askForToken, checkSender, sentPath } from '../kernel/admin-guard.ts'
import { renderTokenPage } from './start-page.ts'

export interface AccessOptions {
  isKnownHost: (host: string) => boolean
  /** The token that requests must have; undefined on loopback, where none is required. */
  token: string | undefined
}

/** Probes have no token; these paths return no confidential data. */
const OPEN_PATHS = ['/healthz', '/readyz']
const ORIGIN_MESSAGE = 'State changes are only accepted from the console itself'

/** Rejects unknown hosts, cross-origin state changes and requests without the token. */
export function guard(app: FastifyInstance, { isKnownHost, token }: AccessOptions): void {
  app.addHook('onRequest', async function protectConsole(request, reply) {
    checkSender(request, { isKnownHost, originMessage: ORIGIN_MESSAGE })
    if (token === undefined || OPEN_PATHS.includes(sentPath(request))) return
    if (hasAdminToken(request.headers, token)) return
    if (acceptTokenLink(request, reply, (given) => constantTimeEqual(given, token))) return reply
    return askForToken(request, reply, renderTokenPage)
  })
}
