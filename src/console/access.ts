import type { FastifyInstance } from 'fastify'
import { acceptTokenLink, askForToken, checkSender, sentPath } from '../kernel/admin-guard.ts'
import type { Kernel } from '../kernel/service.ts'
import { tokenPage } from './start-page.ts'

export type AccessOptions = Pick<
  Kernel,
  'isKnownHost' | 'isAdmin' | 'isAdminToken' | 'formToken' | 'loopback'
>

/** Probes have no token; these paths return no confidential data. */
const OPEN_PATHS = ['/healthz', '/readyz']
const ORIGIN_MESSAGE = 'State changes are only accepted from the console itself'

/** Rejects unknown hosts, calls of nonet, cross-origin state changes and a missing token. */
export function guard(app: FastifyInstance, options: AccessOptions): void {
  const { isKnownHost, isAdmin, isAdminToken, formToken } = options
  app.addHook('onRequest', async function protectConsole(request, reply) {
    const { acceptsOwnCalls } = request.routeOptions.config
    checkSender(request.raw, {
      isKnownHost,
      formToken,
      acceptsOwnCalls,
      originMessage: ORIGIN_MESSAGE
    })
    if (OPEN_PATHS.includes(sentPath(request)) || isAdmin(request.raw)) return
    if (acceptTokenLink(request, reply, isAdminToken)) return reply
    return askForToken(request, reply, { tokenPage, isPrinted: !options.loopback })
  })
}
