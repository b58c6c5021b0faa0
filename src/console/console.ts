import type { IncomingMessage } from 'node:http'
import createError from '@fastify/error'
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify'
import { serviceUrlFor } from '../kernel/base-url.ts'
import type { ErrorResponse } from '../kernel/errors.ts'
import type { Frame } from '../kernel/page.ts'
import { frameWith, sendPage } from '../kernel/send-page.ts'
import { type AccessOptions, guard } from './access.ts'
import { docsRoutes } from './docs/routes.ts'
import type { ConsoleService } from './mounted-service.ts'
import { startPage } from './start-page.ts'

export const ServiceUnknown = createError<[string]>(
  'SERVICE_UNKNOWN',
  'Service %s is not running',
  404
)

export interface ConsoleOptions extends AccessOptions {
  metrics: () => string
  folder: string
  services: () => readonly ConsoleService[]
  publicUrl: (service: string) => string | undefined
  /** Why requests of a service cannot be handled at the moment; undefined if all can. */
  problem: () => Promise<string | undefined>
  reset: (service?: string) => Promise<void>
  /** What the top bar of the page for this request shows. */
  frame: (request: IncomingMessage) => Frame
}

const NO_STORE = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

/** Pages, probes and control routes of the base port. All of them also work without a browser. */
export function mountConsole(app: FastifyInstance, options: ConsoleOptions): void {
  const { services } = options
  frameWith(app, ({ raw }) => options.frame(raw))
  guard(app, options)
  app.addHook('onSend', async (_request, reply) => {
    reply.headers(NO_STORE)
  })
  app.get('/', async (request, reply) => {
    const seen = services().map((service) => ({
      ...service,
      url: urlFor(request, service, options)
    }))
    return sendPage(reply, startPage(seen, options.folder))
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
  openapiRoutes(app, options)
  docsRoutes(app, {
    services,
    urlFor: (request, service) => urlFor(request, service, options)
  })
  resetRoutes(app, options)
  for (const { service, mounted } of services()) {
    app.register(async (scope) => mounted.consoleRoutes?.(scope), { prefix: `/${service.name}` })
  }
}

/** The public URL set by the operator, else the service's URL with the host of the request. */
function urlFor(request: FastifyRequest, service: ConsoleService, options: ConsoleOptions): string {
  const told = options.publicUrl(service.service.name)
  if (told !== undefined) return told.replace(/\/+$/, '')
  return serviceUrlFor(request, service.url)
}

function openapiRoutes(app: FastifyInstance, options: ConsoleOptions): void {
  app.get<{ Params: { file: string } }>('/openapi/:file', async (request) => {
    const name = request.params.file.replace(/\.json$/, '')
    const running = options.services().find(({ service }) => service.name === name)
    if (running === undefined) throw new ServiceUnknown(name)
    return running.service.openapi(urlFor(request, running, options))
  })
}

function resetRoutes(app: FastifyInstance, { services, reset }: ConsoleOptions): void {
  app.post('/reset', async () => {
    await reset()
    return { reset: services().map(({ service }) => service.name) }
  })
  app.post<{ Params: { service: string } }>('/reset/:service', async (request) => {
    const { service: name } = request.params
    if (!services().some(({ service }) => service.name === name)) throw new ServiceUnknown(name)
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
