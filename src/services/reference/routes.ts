import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { methodsExcept } from '../../kernel/any-method.ts'
import { browserModulesIn } from '../../kernel/browser-modules.ts'
import { type PreparedResponse, sendPrepared } from '../../kernel/prepared-response.ts'
import { toOriginForm } from '../../kernel/request-target.ts'
import { createResponseCache } from '../../kernel/response-cache.ts'
import type { FastPath, Kernel } from '../../kernel/service.ts'
import { MethodNotAllowed, NotFound, TYPES } from './contract.ts'
import { type Endpoint, type Endpoints, listName, recordName } from './endpoints.ts'
import { findRepresentation } from './negotiation.ts'
import { handleOptions } from './options.ts'
import { renderAsPage, renderResponse } from './render.ts'
import { parseResourceRequest } from './resource-request.ts'

/** All records and lists of one base URL and representation fit. */
const MAX_LANE_BYTES = 2 * 1024 * 1024

const modules = browserModulesIn(new URL('./pages/browser/', import.meta.url))

/** Only the routes of records have an id. */
interface WithId {
  Params: { id: string }
}
type RecordRequest = FastifyRequest<WithId>

export interface ReferenceHandlers {
  routes: (app: FastifyInstance) => void
  fastPath: FastPath
  /** Clears the cache; required after a change of the data set. */
  forget: () => void
}

/** `endpoints` is called for each request, because a reset may have changed the data set. */
export function referenceRoutes(
  { baseUrl, frame }: Pick<Kernel, 'baseUrl' | 'frame'>,
  endpoints: () => Endpoints
): ReferenceHandlers {
  const ready = createResponseCache(MAX_LANE_BYTES)

  function serve({ raw }: FastifyRequest, reply: FastifyReply, response: PreparedResponse): void {
    const form = findRepresentation(raw.headers.accept)
    if (form !== undefined) ready.keep(baseUrl(raw), form, raw.url ?? '', response)
    reply.hijack()
    sendPrepared(raw, reply.raw, response)
  }

  function serveEndpoint(
    request: FastifyRequest,
    reply: FastifyReply,
    find: () => Endpoint
  ): Promise<void> | undefined {
    const resource = parseResourceRequest(request.raw, baseUrl)
    const endpoint = find()
    const page = renderAsPage(endpoint, resource, frame)
    if (page !== undefined) return page.then((response) => serve(request, reply, response))
    serve(request, reply, renderResponse(endpoint, resource))
    return undefined
  }

  function routes(app: FastifyInstance): void {
    offerEndpoint('/', 'Api Root', () => endpoints().root)
    offerEndpoint('/api', 'Api Root', () => endpoints().root)
    offerEndpoint('/api/all.json', 'Everything', () => endpoints().everything)
    for (const type of TYPES) {
      offerEndpoint(`/api/${type}`, listName(type), () => endpoints().list(type))
      offerEndpoint(`/api/${type}/schema`, recordName(type), () => endpoints().schema(type))
      offerEndpoint(`/api/${type}/:id`, recordName(type), (id) => endpoints().records(type, id))
      offer(app, `/api/${type}/:id/image.svg`, recordName(type), (request, reply) =>
        serve(request, reply, endpoints().image(type, request.params.id))
      )
    }
    app.get('/assets/live-list.js', sendScript)
    rejectTheRest(app)

    function offerEndpoint(path: string, name: string, find: (id: string) => Endpoint): void {
      offer(app, path, name, (request, reply) =>
        serveEndpoint(request, reply, () => find(request.params.id))
      )
    }
  }

  function fastPath(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false
    const form = findRepresentation(request.headers.accept)
    const prepared = form && ready.find(baseUrl(request), form, toOriginForm(request.url ?? ''))
    if (prepared === undefined) return false
    sendPrepared(request, response, prepared)
    return true
  }

  return { routes, fastPath, forget: ready.forget }
}

/** The script of the lists. */
function sendScript({ headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const found = modules.respond('live-list', headers['if-none-match'])
  if (found === undefined) throw new NotFound()
  return reply.code(found.status).headers(found.headers).send(found.body)
}

/** Registers the path with and without a trailing slash, without a redirect. */
function offer(
  app: FastifyInstance,
  path: string,
  name: string,
  handler: (request: RecordRequest, reply: FastifyReply) => Promise<void> | void
): void {
  const paths = path === '/' ? [path] : [path, `${path}/`]
  for (const url of paths) {
    app.get<WithId>(url, handler)
    app.options(url, (request, reply) => handleOptions(request, reply, name))
  }
}

/** Unknown paths are 404. Other methods are rejected before the body is read. */
function rejectTheRest(app: FastifyInstance): void {
  app.get('*', () => {
    throw new NotFound()
  })
  app.options('*', (request, reply) => handleOptions(request, reply, undefined))
  const rejected = methodsExcept('GET', 'HEAD', 'OPTIONS', 'CONNECT')
  for (const method of rejected) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method)
  }
  app.route({ method: rejected, url: '*', onRequest: rejectMethod, handler: rejectMethod })
}

async function rejectMethod({ method }: FastifyRequest): Promise<void> {
  throw new MethodNotAllowed(method)
}
