import type { IncomingMessage, ServerResponse } from 'node:http'
import { RouteNotFound } from '../../../kernel/errors.ts'
import type { ScenarioContext } from '../context.ts'
import type { ScenarioError } from '../contract.ts'
import { type ApiResponse, DROPPED, errorResponse, type ResponseOrDrop } from './response.ts'
import { serveApi } from './routes.ts'
import { readScenarioTarget } from './scenario-target.ts'
import { send } from './send.ts'

/** Serves a WebSocket request; scenarios and errors apply as to any other request. */
export async function serveUpgrade(
  context: ScenarioContext,
  request: IncomingMessage,
  response: ServerResponse
): Promise<void> {
  const target = readScenarioTarget(request.url ?? '')
  const outcome: ResponseOrDrop =
    target.segments[0] === 'api' && !hasBody(request)
      ? await serveApi(context, request, response, 'GET', target)
      : errorResponse(new RouteNotFound(request.method ?? '', target.path))
  if (outcome === DROPPED || outcome.accept === undefined) {
    await send(request, response, outcome, context.held)
    return
  }
  await outcome.accept(outcome.headers).catch(async (error: ScenarioError) => {
    if (error.statusCode === undefined || response.statusCode === 101) throw error
    await send(request, response, withoutHandshake(outcome, error), context.held)
  })
}

function withoutHandshake({ headers }: ApiResponse, error: ScenarioError): ApiResponse {
  const response = errorResponse(error)
  return { ...response, headers: { ...headers, ...response.headers } }
}

/** Bodies of upgrade requests are not read. */
function hasBody({ headers, method }: IncomingMessage): boolean {
  const length = headers['content-length'] ?? '0'
  return method !== 'GET' || length !== '0' || headers['transfer-encoding'] !== undefined
}
