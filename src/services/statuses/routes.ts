import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { allowAnyMethod, methodsExcept } from '../../kernel/any-method.ts'
import { loadOnce } from '../../kernel/load-once.ts'
import { sendPrepared } from '../../kernel/prepared-response.ts'
import { parseRequestTarget } from '../../kernel/request-target.ts'
import type { ResponseCache } from '../../kernel/response-cache.ts'
import type { Handler, StatusContext, StatusRequest, StatusResponse } from './context.ts'
import { ALLOWED_METHODS, MethodNotAllowed } from './contract.ts'
import { serveMedia } from './http/media-handler.ts'
import { negotiate } from './http/negotiation.ts'
import { createNotFound, type NotFound } from './http/not-found.ts'
import {
  serveEmbed,
  serveMedium,
  serveOembed,
  servePost,
  serveTweet,
  serveTweetResult
} from './http/post-handlers.ts'
import { prepareContent, redirectHeaders } from './http/respond.ts'
import { matchApi, matchRoute, type RouteName } from './http/route-table.ts'
import { prefixOf, siteOf } from './http/site.ts'
import { themeOf } from './pages/browse-request.ts'
import { browse } from './pages/routes-browse.ts'

const HANDLERS: Readonly<Record<RouteName, Handler>> = {
  post: servePost,
  medium: serveMedium,
  embed: serveEmbed,
  tweet: serveTweet,
  tweetResult: serveTweetResult,
  oembed: serveOembed,
  media: serveMedia,
  browse: serveBrowse
}

/** Handles what is not in the cache, which `fastPath` sends from. */
export function statusRoutes(
  app: FastifyInstance,
  context: StatusContext,
  cache: ResponseCache
): void {
  const notFound = createNotFound(context)
  /** Loaded with the first request of an owner. */
  const loadApi = loadOnce(async () => {
    const { createApi } = await import('./api/handler.ts')
    return createApi(context)
  })

  allowAnyMethod(app)
  app.route({
    method: methodsExcept(),
    url: '*',
    async handler({ raw, originalUrl }, reply) {
      const request = readRequest(context, raw, originalUrl)
      const match = matchApi(request.path)
      if (match !== undefined) {
        const send = await (await loadApi())(raw, request, match)
        reply.hijack()
        return send(reply.raw)
      }
      if (raw.method !== 'GET' && raw.method !== 'HEAD') {
        throw new MethodNotAllowed(raw.method ?? '', ALLOWED_METHODS)
      }
      const generation = context.generation()
      const response = await handle(context, request)
      // A response that was rendered before a change must not be kept after it.
      if (response.kind === 'prepared' && response.isKept && context.generation() === generation) {
        cache.keep(request.baseUrl, request.form, request.path, response.response)
      }
      reply.hijack()
      await send(context, request, response, notFound, raw, reply.raw)
    }
  })
}

function readRequest(
  { kernel }: StatusContext,
  raw: IncomingMessage,
  originalUrl: string
): StatusRequest {
  const { path, query } = parseRequestTarget(originalUrl)
  return {
    path,
    query: new URLSearchParams(query),
    baseUrl: kernel.baseUrl(raw),
    form: negotiate(raw.headers.accept)
  }
}

async function handle(context: StatusContext, request: StatusRequest): Promise<StatusResponse> {
  const match = matchRoute(request.path)
  if (match === undefined) return { kind: 'notFound' }
  return HANDLERS[match.name](context, request, match.params)
}

async function serveBrowse(
  context: StatusContext,
  request: StatusRequest
): Promise<StatusResponse> {
  const { path, query } = request
  const lastModified = await context.lastModified()
  const browsed = await browse(context.store, { path, query, site: siteOf(context, request) })
  if (browsed === undefined) return { kind: 'notFound' }
  if (browsed.kind === 'redirect') return browsed
  const response = prepareContent(browsed.body, browsed.headers, { lastModified })
  return { kind: 'prepared', response, isKept: query.size === 0 }
}

/** The theme is the only part of a query that redirects keep. */
function withTheme(path: string, query: URLSearchParams): string {
  const theme = themeOf(query)
  return theme === undefined ? path : path.replace(/(?=#)|$/, `?theme=${theme}`)
}

async function send(
  { options }: StatusContext,
  request: StatusRequest,
  response: StatusResponse,
  notFound: NotFound,
  raw: IncomingMessage,
  reply: ServerResponse
): Promise<void> {
  if (response.kind === 'prepared') sendPrepared(raw, reply, response.response)
  else if (response.kind === 'redirect') {
    const location = prefixOf(request.baseUrl) + withTheme(response.path, request.query)
    reply.writeHead(Number(options.redirectStatus), redirectHeaders(location)).end()
  } else if (response.kind === 'media') {
    await response.send(raw, reply).catch(() => reply.destroy())
  } else sendPrepared(raw, reply, notFound(request, response.kind === 'gone' ? 410 : 404))
}
