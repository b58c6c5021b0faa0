import type { FastifyError, FastifyInstance } from 'fastify'
import type { ErrorResponse } from '../kernel/errors.ts'
import { guard } from './access.ts'
import type { ConsoleOptions } from './console-options.ts'
import { docsRoutes } from './docs/routes.ts'
import { findRunning } from './find-running.ts'
import { pageRoutes } from './page-routes.ts'
import { sectionsFor } from './sections.ts'
import { urlFor } from './service-view.ts'
import { tokenRoutes } from './token-routes.ts'

const NO_STORE = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

/** Pages, probes and control routes of the base port. All of them also work without a browser. */
export function mountConsole(app: FastifyInstance, options: ConsoleOptions): void {
  const { services } = options
  guard(app, {
    ...options,
    frame: (request) => ({ ...options.frame(request), sections: sectionsFor(request.url ?? '') })
  })
  app.addHook('onSend', async (_request, reply) => {
    reply.headers(NO_STORE)
  })
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    if (services().some(({ url }) => url === ''))
      return reply.code(503).send({ status: 'starting' })
    const reason = await options.problem()
    if (reason !== undefined) return reply.code(503).send({ status: 'unavailable', reason })
    return { status: 'ready' }
  })
  app.get('/metrics', async (_request, reply) =>
    reply.type('text/plain; version=0.0.4; charset=utf-8').send(options.metrics())
  )
  pageRoutes(app, options)
  openRoutes(app, options)
  openapiRoutes(app, options)
  docsRoutes(app, {
    services,
    urlFor: (request, service) => urlFor(request, service, options)
  })
  resetRoutes(app, options)
  for (const running of services()) {
    const { service, mounted, credentials } = running
    const prefix = `/${service.name}`
    app.register(async (scope) => mounted.consoleRoutes?.(scope), { prefix })
    if (credentials === undefined) continue
    app.register(async (scope) => tokenRoutes(scope, { ...running, credentials }), { prefix })
  }
}

/** Leads to the page for people of a service, and signs the browser in there if it needs to. */
function openRoutes(app: FastifyInstance, options: ConsoleOptions): void {
  app.get<{ Params: { service: string } }>('/open/:service', async (request, reply) => {
    const running = findRunning(options, request.params.service)
    const { service, mounted } = running
    if (service.pagePath === undefined) return reply.redirect(`/${service.name}/`, 303)
    const page = urlFor(request, running, options) + service.pagePath
    const { createSignInLink } = mounted
    const needsLink = service.hasSignIn === 'always' || options.isFromOutside(request.raw)
    const isAdmitted = createSignInLink === undefined || !needsLink
    return reply.redirect(isAdmitted ? page : await createSignInLink(page), 303)
  })
}

function openapiRoutes(app: FastifyInstance, options: ConsoleOptions): void {
  app.get<{ Params: { file: string } }>('/openapi/:file', async (request) => {
    const running = findRunning(options, request.params.file.replace(/\.json$/, ''))
    return running.service.openapi(urlFor(request, running, options))
  })
}

function resetRoutes(app: FastifyInstance, options: ConsoleOptions): void {
  const { services, reset } = options
  app.post('/reset', async () => {
    await reset()
    return { reset: services().map(({ service }) => service.name) }
  })
  app.post<{ Params: { service: string } }>('/reset/:service', async (request) => {
    const { service: name } = request.params
    findRunning(options, name)
    await reset(name)
    return { reset: [name] }
  })
}

export function renderConsoleError(error: FastifyError): ErrorResponse {
  const status = error.statusCode ?? 500
  const message = status === 500 ? 'Internal error' : error.message
  const code = error.code ?? 'INTERNAL'
  return {
    status,
    type: 'application/json; charset=utf-8',
    body: JSON.stringify({ error: code, message }),
    headers: NO_STORE,
    explanation: { message, code }
  }
}
