import type { FastifyInstance } from 'fastify'
import type { PageSessions } from '../../../kernel/page-session.ts'
import type { Kernel } from '../../../kernel/service.ts'
import type { Documents } from '../documents.ts'
import { describeOperations } from '../mocked-operation.ts'
import type { StateView } from '../state/view.ts'
import { protect } from './access.ts'
import { assetRoutes } from './assets.ts'
import { coverageRoutes, queryOf } from './coverage.ts'
import { documentRoutes } from './documents.ts'
import { journalRoutes } from './journal.ts'
import { operationsPage } from './operations-page.ts'
import { sendPageOrJson } from './page.ts'
import { stateRoutes } from './state.ts'
import { tryRoutes } from './try/routes.ts'
import { webhookRoutes } from './webhooks.ts'

const ROOT = '/__nonet'
const FORM_TYPE = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'

/** Routes under `/__nonet/`; all other paths belong to the mocked API. */
export function adminRoutes(
  app: FastifyInstance,
  kernel: Kernel,
  documents: Documents,
  { sessions, state }: { sessions: PageSessions; state: StateView | undefined }
): Admin {
  protect(app, kernel, sessions)
  app.addContentTypeParser(FORM_TYPE, { parseAs: 'string' }, (_request, text, done) => {
    done(null, Object.fromEntries(new URLSearchParams(String(text))))
  })
  const parseJson = app.getDefaultJsonParser('error', 'error')
  // Many clients send this content type with every request, also with a DELETE without a body.
  app.addContentTypeParser(JSON_TYPE, { parseAs: 'string' }, (request, text, done) => {
    if (text === '') done(null)
    else parseJson(request, String(text), done)
  })
  app.get(ROOT, (_request, reply) => reply.redirect('/__nonet/', 308))
  app.get('/__nonet/healthz', () => ({ status: 'ok' }))
  app.get('/__nonet/readyz', async (_request, reply) => {
    const reason = kernel.hasDatabase ? await kernel.database.unavailable() : undefined
    if (reason !== undefined) return reply.code(503).send({ status: 'unavailable', reason })
    return { status: 'ready' }
  })
  for (const path of ['/__nonet/', '/__nonet/operations']) {
    app.get(path, (request, reply) => {
      const base = kernel.baseUrl(request.raw)
      return sendPageOrJson(
        request,
        reply,
        () => ({ operations: describeOperations(documents, base) }),
        () => operationsPage(documents, new URLSearchParams(queryOf(request)))
      )
    })
  }
  assetRoutes(app)
  coverageRoutes(app, documents)
  documentRoutes(app, documents)
  stateRoutes(app, state)
  tryRoutes(app, documents)
  webhookRoutes(app, documents)
  return { leave: journalRoutes(app, documents, kernel) }
}

export interface Admin {
  /** Ends the event streams, which never end by themselves. */
  leave: () => void
}
