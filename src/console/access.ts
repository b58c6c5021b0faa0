import type { FastifyInstance } from 'fastify'
import { checkSender, sentPath } from '../kernel/admin-guard.ts'
import { guardPages, type PageGuardOptions } from '../kernel/page-guard.ts'
import { createAdminSessions } from '../kernel/page-session.ts'
import type { Kernel } from '../kernel/service.ts'

export type AccessOptions = PageGuardOptions['access'] &
  Pick<Kernel, 'isKnownHost' | 'isAdminToken' | 'isFromOutside'> &
  Pick<PageGuardOptions, 'frame'>

/** Probes have no token; these paths return no confidential data. */
const OPEN_PATHS = ['/healthz', '/readyz']
const ORIGIN_MESSAGE = 'State changes are only accepted from the console itself'

/** Rejects unknown hosts, calls of nonet, cross-origin state changes and a missing token. */
export function guard(app: FastifyInstance, options: AccessOptions): void {
  const { isKnownHost, formKey, frame } = options
  const sessions = createAdminSessions('console', options)
  const pages = guardPages(app, { sessions, access: options, home: '/', frame })
  app.addHook('onRequest', async function protectConsole(request, reply) {
    const { acceptsOwnCalls } = request.routeOptions.config
    checkSender(request.raw, {
      isKnownHost,
      formKey,
      acceptsOwnCalls,
      originMessage: ORIGIN_MESSAGE
    })
    if (OPEN_PATHS.includes(sentPath(request))) return
    return pages.admit(request, reply)
  })
}
