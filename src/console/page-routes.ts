import type { FastifyInstance, FastifyRequest } from 'fastify'
import { browserModulesIn } from '../kernel/browser-modules.ts'
import { RouteNotFound } from '../kernel/errors.ts'
import { sendPage } from '../kernel/send-page.ts'
import { apiPage } from './api-page.ts'
import type { ConsoleOptions } from './console-options.ts'
import { findRunning } from './find-running.ts'
import { homePage } from './home-page.ts'
import { serviceStatuses, serviceViews, viewOf } from './service-view.ts'
import { snippetsPage } from './snippets-page.ts'
import { describeStatus, totalsOf } from './status.ts'

interface ServiceRoute {
  Params: { service: string }
}

const modules = browserModulesIn(new URL('./browser/', import.meta.url))

/** The start page, its figures as JSON, and the pages about each service. */
export function pageRoutes(app: FastifyInstance, options: ConsoleOptions): void {
  const { facts } = options
  const consoleUrl = ({ raw }: FastifyRequest) =>
    options.frame(raw).console ?? `http://${raw.headers.host}`

  app.get('/', async (request, reply) => {
    const statuses = await serviceStatuses(options)
    const totals = await totalsOf(statuses, facts)
    const services = serviceViews(request, options)
    const console = consoleUrl(request)
    return sendPage(reply, homePage({ services, statuses, totals, facts, console }))
  })
  app.get('/status.json', async () => {
    const statuses = await serviceStatuses(options)
    return describeStatus(statuses, await totalsOf(statuses, facts), facts)
  })
  app.get<ServiceRoute>('/api/:service', async (request, reply) => {
    const running = findRunning(options, request.params.service)
    const view = viewOf(request, running, options)
    return sendPage(reply, apiPage(view, await running.service.openapi(view.url)))
  })
  app.get<ServiceRoute>('/snippets/:service', async (request, reply) => {
    const view = viewOf(request, findRunning(options, request.params.service), options)
    return sendPage(reply, snippetsPage(view, consoleUrl(request)))
  })
  app.get<{ Params: { file: string } }>('/assets/:file', (request, reply) => {
    const name = request.params.file.replace(/\.(js|ts)$/, '')
    const found = modules.respond(name, request.headers['if-none-match'])
    if (found === undefined) throw new RouteNotFound(request.method, request.url)
    return reply.code(found.status).headers(found.headers).send(found.body)
  })
}
