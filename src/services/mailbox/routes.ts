import type { FastifyInstance } from 'fastify'
import type { PageSessions } from '../../kernel/page-session.ts'
import { apiRoutes } from './api/routes.ts'
import type { MailboxContext } from './context.ts'
import { pageRoutes } from './pages/page-routes.ts'
import { sandboxRoutes } from './sandbox/api/routes.ts'

export function mailboxRoutes(
  app: FastifyInstance,
  context: MailboxContext,
  sessions: PageSessions
): void {
  app.get('/health', async () => ({ success: true }))
  app.get('/openapi.json', async ({ raw }) => {
    const { openapi } = await import('./openapi.ts')
    return openapi(context.kernel.baseUrl(raw))
  })
  app.get('/swagger.json', async ({ raw }) => {
    const { openapi30 } = await import('./openapi.ts')
    return openapi30(context.kernel.baseUrl(raw))
  })
  app.register(async (scope) => {
    // Bodies are read by the handlers.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    sandboxRoutes(scope, context)
    apiRoutes(scope, context)
  })
  pageRoutes(app, context, sessions)
}
