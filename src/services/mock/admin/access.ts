import type { FastifyInstance } from 'fastify'
import { checkSender, rejectOwnCall, sentPath } from '../../../kernel/admin-guard.ts'
import { guardPages } from '../../../kernel/page-guard.ts'
import type { PageSessions } from '../../../kernel/page-session.ts'
import type { Kernel } from '../../../kernel/service.ts'

/** Health probes send no token, and their responses reveal no data. */
const OPEN_PATHS = ['/__nonet/healthz', '/__nonet/readyz']
const ORIGIN_MESSAGE = 'State changes are only accepted from pages of the same origin'

/**
 * Checks host, origin and admin token of all requests under `/__nonet/`, also for unknown paths.
 */
export function protect(app: FastifyInstance, kernel: Kernel, sessions: PageSessions): void {
  const { isKnownHost, formKey } = kernel
  const pages = guardPages(app, {
    sessions,
    access: kernel,
    home: '/__nonet/',
    frame: (request) => kernel.frame(kernel.baseUrl(request))
  })
  app.addHook('onRequest', async function protectAdmin(request, reply) {
    reply.header('cache-control', 'no-store')
    rejectOwnCall(request.headers)
    if (OPEN_PATHS.includes(sentPath(request))) return
    checkSender(request.raw, { isKnownHost, formKey, originMessage: ORIGIN_MESSAGE })
    return pages.admit(request, reply)
  })
}
