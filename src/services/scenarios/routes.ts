import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { allowAnyMethod, methodsExcept } from '../../kernel/any-method.ts'
import { RouteNotFound } from '../../kernel/failures.ts'
import { type Answer, CUT, empty, failureAnswer, type Outcome } from './answer.ts'
import { apiRoute } from './api.ts'
import type { Route } from './call.ts'
import { chooseScenarios } from './choose.ts'
import { CORS_HEADERS, type Failure, UpgradeNeeded } from './contract.ts'
import { corsHeaders, preflightHeaders } from './cors.ts'
import { openCall, openWorkspace } from './open-call.ts'
import { perform } from './perform.ts'
import { findPlace } from './places.ts'
import type { Room } from './room.ts'
import { corsPreflight } from './scenario/navigation.ts'
import { send } from './send.ts'
import { readVisit, type Visit } from './visit.ts'

/** Every path is rewritten to `/`: prefixes and free names are ours to read, not the router's. */
export function scenarioRoutes(app: FastifyInstance, room: Room): void {
  allowAnyMethod(app)
  const methods = methodsExcept('CONNECT', 'HEAD')
  app.route({ method: methods, url: '/', handler: (request, reply) => serve(room, request, reply) })
}

async function serve(room: Room, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { raw } = request
  const visit = readVisit(request.originalUrl)
  const method = raw.method === 'HEAD' ? 'GET' : (raw.method ?? 'GET')
  const outcome =
    visit.segments[0] === 'api'
      ? await serveApi(room, raw, reply.raw, method, visit)
      : await servePlace(room, request, method, visit)
  reply.hijack()
  await send(raw, reply.raw, withoutTakeover(outcome), room.held)
}

/** Only a request that Node took for an upgrade can become something else. */
function withoutTakeover(outcome: Outcome): Outcome {
  const isTakeover = outcome !== CUT && outcome.accept !== undefined
  return isTakeover ? withCors(failureAnswer(new UpgradeNeeded())) : outcome
}

/** Pages, pictures, keys and control routes: what no scenario touches. */
async function servePlace(
  room: Room,
  { raw }: FastifyRequest,
  method: string,
  visit: Visit
): Promise<Outcome> {
  const place = findPlace(visit)
  if (place === undefined) return withCors(failureAnswer(new RouteNotFound(method, visit.path)))
  if (place.isOpen && method === 'OPTIONS') return empty(204, preflightHeaders(raw))
  const answer = await place.answer({ room, request: raw, method, visit }).catch(failureOf)
  return place.isOpen ? withCors(answer) : answer
}

export async function serveApi(
  room: Room,
  raw: IncomingMessage,
  response: ServerResponse,
  method: string,
  visit: Visit
): Promise<Outcome> {
  const rest = visit.segments.slice(1)
  if (method === 'OPTIONS') return answerPreflight(room, raw, visit, rest)
  const route = apiRoute(method, rest)
  const cors = corsHeaders(raw, route)
  if (route === undefined) {
    return withCors(failureAnswer(new RouteNotFound(method, visit.path)), cors)
  }
  try {
    const call = await openCall({ room, request: raw, response, method, visit, route })
    const outcome = await perform(call)
    room.journal.note(call, outcome === CUT ? 0 : outcome.status)
    if (outcome === CUT) return CUT
    const answer = withCors(outcome, cors)
    room.ready.keep(call, answer)
    return answer
  } catch (error) {
    // Nothing was asked of the endpoint yet: a name, a seed or a scenario is wrong.
    return withCors(loginRefusal(room, route, failureOf(error as Failure)), cors)
  }
}

/** The seed makes no exception for what is wrong with a login request. */
function loginRefusal({ options }: Room, { isLogin }: Route, answer: Answer): Answer {
  return isLogin && answer.status < 500 ? { ...answer, status: options.authStatus } : answer
}

/** A defect of ours goes on to whoever reports it. */
function failureOf(error: Failure): Answer {
  if (error.statusCode === undefined) throw error
  return failureAnswer(error)
}

function withCors(answer: Answer, cors = CORS_HEADERS): Answer {
  return answer.cors === false ? answer : { ...answer, headers: { ...cors, ...answer.headers } }
}

async function answerPreflight(
  room: Room,
  request: FastifyRequest['raw'],
  visit: Visit,
  rest: readonly string[]
): Promise<Answer> {
  const method = request.headers['access-control-request-method'] ?? 'GET'
  const route = apiRoute(method.toUpperCase(), rest)
  if (route !== undefined && (await isRefused(room, request, visit, route))) {
    const headers = { 'x-scenario-applied': corsPreflight.name, 'cache-control': 'no-store' }
    return { status: 403, headers, body: '' }
  }
  return empty(204, preflightHeaders(request))
}

/** A page can read what is wrong with its request only when the preflight passes. */
async function isRefused(
  room: Room,
  request: FastifyRequest['raw'],
  visit: Visit,
  route: Route
): Promise<boolean> {
  try {
    const workspace = await openWorkspace(room, request, visit)
    const body = () => Promise.resolve({ text: '', fields: {} })
    const asked = { room, request, method: 'OPTIONS', visit, route, workspace, body }
    return (await chooseScenarios(asked)).has(corsPreflight.name)
  } catch (error) {
    failureOf(error as Failure)
    return false
  }
}
