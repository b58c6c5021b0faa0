import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { allowAnyMethod, methodsExcept } from '../../kernel/any-method.ts'
import { createCache } from '../../kernel/cache.ts'
import { allowRequestedHeaders, sendPreflight } from '../../kernel/cors.ts'
import { RouteNotFound } from '../../kernel/errors.ts'
import type { Frame } from '../../kernel/page.ts'
import {
  type PreparedResponse,
  preparedSize,
  sendPrepared
} from '../../kernel/prepared-response.ts'
import type { Mounted } from '../../kernel/service.ts'
import { readBody } from './body.ts'
import { GRAPHQL_PATHS, PREFLIGHT_HEADERS } from './contract.ts'
import type { GraphqlService } from './graphql-service.ts'
import { playgroundRoutes, sendPlayground } from './playground/routes.ts'
import { cacheKey, graphqlQuery, isCacheable, isJson, wantsPlayground } from './request-matching.ts'
import type { CountryOptions } from './settings.ts'

const FILE_PATHS = ['/schema.graphql', '/countries.json', '/countries.csv', '/countries/:file']

export function countryRoutes(
  graphqlService: GraphqlService,
  options: CountryOptions,
  frameOf: (request: IncomingMessage) => Frame
): Required<Pick<Mounted, 'routes' | 'fastPath'>> {
  let router: FastifyInstance | undefined
  const ready = createCache<PreparedResponse>(options.cacheBytes, preparedSize)
  /** Bodies read by `fastPath` before routing, because the cache key contains the body. */
  const bodies = new WeakMap<IncomingMessage, Promise<Buffer<ArrayBuffer>>>()

  function bodyOf(request: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
    const body = bodies.get(request) ?? readBody(request, options.maxBodyBytes)
    bodies.set(request, body)
    return body
  }

  async function findResponse(
    request: IncomingMessage,
    query: string,
    body?: Buffer<ArrayBuffer>
  ): Promise<PreparedResponse> {
    const { response, momentary } = await graphqlService.execute(request, query, body)
    if (!momentary && isCacheable(request)) {
      ready.set(cacheKey(request, query, body?.toString('latin1') ?? ''), response)
    }
    return response
  }

  async function handleGraphql({ raw }: FastifyRequest, reply: FastifyReply): Promise<void> {
    const query = graphqlQuery(raw) ?? ''
    if (wantsPlayground(raw, query)) return sendPlayground(raw, reply, frameOf(raw))
    const body = raw.method === 'POST' ? await bodyOf(raw) : undefined
    const response = await findResponse(raw, query, body)
    reply.hijack()
    sendPrepared(raw, reply.raw, response)
  }

  async function handleBody(
    request: IncomingMessage,
    response: ServerResponse,
    query: string
  ): Promise<void> {
    const body = await bodyOf(request)
    const kept = ready.get(cacheKey(request, query, body.toString('latin1')))
    sendPrepared(request, response, kept ?? (await findResponse(request, query, body)))
  }

  async function handleFile({ raw }: FastifyRequest, reply: FastifyReply): Promise<void> {
    const response = await graphqlService.file(raw.url ?? '')
    reply.hijack()
    sendPrepared(raw, reply.raw, response)
  }

  function routes(app: FastifyInstance): void {
    router = app
    allowAnyMethod(app)
    const methods = methodsExcept('OPTIONS', 'CONNECT', 'HEAD')
    for (const url of GRAPHQL_PATHS) app.route({ method: methods, url, handler: handleGraphql })
    for (const url of FILE_PATHS) app.get(url, handleFile)
    playgroundRoutes(app)
    app.options('*', handlePreflight)
    app.route({
      method: methods,
      url: '*',
      handler: async (request) => {
        throw new RouteNotFound(request.method, request.url)
      }
    })
  }

  function fastPath(request: IncomingMessage, response: ServerResponse): boolean {
    const query = graphqlQuery(request)
    if (query === undefined) return false
    if (request.method === 'GET') {
      const prepared = ready.get(cacheKey(request, query, ''))
      if (prepared === undefined || wantsPlayground(request, query)) return false
      sendPrepared(request, response, prepared)
      return true
    }
    if (request.method !== 'POST' || !isJson(request)) return false
    const responded = handleBody(request, response, query)
    // The route meets the same error; its error handler renders it and reports defects.
    responded.catch(() => router?.routing(request, response))
    return true
  }

  return { routes, fastPath }
}

function handlePreflight(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendPreflight(reply, { ...allowRequestedHeaders(request.headers), ...PREFLIGHT_HEADERS })
}
