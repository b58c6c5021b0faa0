import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { allowAnyMethod, methodsExcept } from '../../../kernel/any-method.ts'
import { RouteNotFound } from '../../../kernel/errors.ts'
import { apiRoute } from '../api/api.ts'
import type { ScenarioContext } from '../context.ts'
import {
  CORS_HEADERS,
  describeError,
  JSON_TYPE,
  type ScenarioError,
  UpgradeNeeded
} from '../contract.ts'
import { openCall, workspaceName } from '../pipeline/open-context.ts'
import type { Route } from '../pipeline/request-context.ts'
import { perform } from '../pipeline/run-request.ts'
import { chooseScenarios } from '../pipeline/select-scenarios.ts'
import { corsPreflight } from '../scenario/navigation.ts'
import { findSiteRoute } from '../site/site-routes.ts'
import { corsHeaders, preflightHeaders } from './cors.ts'
import { type ApiResponse, DROPPED, empty, errorResponse, type ResponseOrDrop } from './response.ts'
import { readScenarioTarget, type ScenarioTarget } from './scenario-target.ts'
import { send } from './send.ts'

/** Every path is rewritten to `/`, because prefixes and collections are parsed here. */
export function scenarioRoutes(app: FastifyInstance, context: ScenarioContext): void {
  allowAnyMethod(app)
  const methods = methodsExcept('CONNECT', 'HEAD')
  app.route({
    method: methods,
    url: '/',
    handler: (request, reply) => serve(context, request, reply)
  })
}

async function serve(
  context: ScenarioContext,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<void> {
  const { raw } = request
  const target = readScenarioTarget(request.originalUrl)
  const method = raw.method === 'HEAD' ? 'GET' : (raw.method ?? 'GET')
  const outcome =
    target.segments[0] === 'api'
      ? await serveApi(context, raw, reply.raw, method, target)
      : await serveSiteRoute(context, request, method, target)
  reply.hijack()
  await send(raw, reply.raw, withoutTakeover(outcome), context.held)
}

/** Only a request that Node handles as an upgrade can become a WebSocket. */
function withoutTakeover(outcome: ResponseOrDrop): ResponseOrDrop {
  const isTakeover = outcome !== DROPPED && outcome.accept !== undefined
  return isTakeover ? withCors(errorResponse(new UpgradeNeeded())) : outcome
}

/** Serves pages, images, keys and control routes, which scenarios do not affect. */
async function serveSiteRoute(
  context: ScenarioContext,
  { raw }: FastifyRequest,
  method: string,
  target: ScenarioTarget
): Promise<ResponseOrDrop> {
  const route = findSiteRoute(target)
  const present = (error: ScenarioError) => presentSiteError(context, raw, target, error)
  if (route === undefined) return withCors(await present(new RouteNotFound(method, target.path)))
  if (route.isOpen && method === 'OPTIONS') return empty(204, preflightHeaders(raw))
  const response = await route.handle({ context, request: raw, method, target }).catch(present)
  return route.isOpen ? withCors(response) : response
}

/** An error outside `/api` is a page for people; the errors of the API are its product. */
async function presentSiteError(
  { kernel }: ScenarioContext,
  request: IncomingMessage,
  { url }: ScenarioTarget,
  error: ScenarioError
): Promise<ApiResponse> {
  if (error.statusCode === undefined) throw error
  const rendered = { ...describeError(error), type: JSON_TYPE }
  const { status, body, type, headers } = await kernel.presentError(request, url, rendered)
  // `send` adds the common headers, which a page has too.
  const { 'x-content-type-options': _, ...own } = headers ?? {}
  return { status, body, headers: { 'content-type': type, ...own } }
}

export async function serveApi(
  context: ScenarioContext,
  raw: IncomingMessage,
  response: ServerResponse,
  method: string,
  target: ScenarioTarget
): Promise<ResponseOrDrop> {
  const rest = target.segments.slice(1)
  if (method === 'OPTIONS') return handlePreflight(context, raw, target, rest)
  const route = findApiRoute(context, method, rest)
  const cors = corsHeaders(raw, route)
  if (route === undefined) {
    return withCors(errorResponse(new RouteNotFound(method, target.path)), cors)
  }
  try {
    const call = await openCall({ context, request: raw, response, method, target, route })
    const outcome = await perform(call)
    context.journal.note(call, outcome === DROPPED ? 0 : outcome.status)
    if (outcome === DROPPED) return DROPPED
    const prepared = withCors(outcome, cors)
    context.ready.keep(call, prepared)
    return prepared
  } catch (error) {
    // Errors before the endpoint: an invalid name, seed or scenario, or too many delays.
    return withCors(loginRejection(context, route, errorOf(error as ScenarioError)), cors)
  }
}

function findApiRoute(
  { options }: ScenarioContext,
  method: string,
  segments: readonly string[]
): Route | undefined {
  const route = apiRoute(method, segments)
  return route?.isCollectionWrite && options.collectionWrites === 'off' ? undefined : route
}

/** By specification, every 4xx of a login request gets `authStatus`. */
function loginRejection(
  { options }: ScenarioContext,
  { isLogin }: Route,
  response: ApiResponse
): ApiResponse {
  return isLogin && response.status < 500 ? { ...response, status: options.authStatus } : response
}

/** An error without a status is a defect; it is thrown, so that the host reports it. */
function errorOf(error: ScenarioError): ApiResponse {
  if (error.statusCode === undefined) throw error
  return errorResponse(error)
}

function withCors(response: ApiResponse, cors = CORS_HEADERS): ApiResponse {
  return response.cors === false
    ? response
    : { ...response, headers: { ...cors, ...response.headers } }
}

async function handlePreflight(
  context: ScenarioContext,
  request: FastifyRequest['raw'],
  target: ScenarioTarget,
  rest: readonly string[]
): Promise<ApiResponse> {
  const method = request.headers['access-control-request-method'] ?? 'GET'
  const route = findApiRoute(context, method.toUpperCase(), rest)
  if (route !== undefined && (await isRejected(context, request, target, route))) {
    const headers = { 'x-scenario-applied': corsPreflight.name, 'cache-control': 'no-store' }
    return { status: 403, headers, body: '' }
  }
  return empty(204, preflightHeaders(request))
}

/** Errors do not reject a preflight, because a page can read them only after it has passed. */
async function isRejected(
  context: ScenarioContext,
  request: FastifyRequest['raw'],
  target: ScenarioTarget,
  route: Route
): Promise<boolean> {
  try {
    const name = workspaceName(request, target)
    // A preflight creates no workspace; a new one has no rules that could reject it.
    const workspace = name === undefined ? undefined : await context.workspaces.find(name)
    const body = () => Promise.resolve({ text: '', fields: {} })
    const asked = { context, request, method: 'OPTIONS', target, route, workspace, body }
    return (await chooseScenarios(asked)).has(corsPreflight.name)
  } catch (error) {
    errorOf(error as ScenarioError)
    return false
  }
}
