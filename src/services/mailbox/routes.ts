import type { FastifyInstance } from 'fastify'
import type { PageSessions } from '../../kernel/page-session.ts'

import type { MailboxContext } from './context.ts'
import { openapi } from './openapi.ts'
import { pageRoutes } from './pages/page-routes.ts'
import { sandboxRoutes } from './sandbox/api/routes.ts'

export function mailboxRoutes(
  app: FastifyInstance,
  context: MailboxContext,
  sessions: PageSessions
): void {
  app.get('/health', async () => ({ success: true }))
  for (const path of ['/openapi.json', '/swagger.json']) {
    app.get(path, async ({ raw }) => openapi(context.kernel.baseUrl(raw)))
  }
  app.register(async (scope) => sandboxRoutes(scope, context))
  pageRoutes(app, context, sessions)
}
