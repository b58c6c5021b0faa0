import type { IncomingMessage, ServerResponse } from 'node:http'
import { RouteNotFound } from '../../kernel/failures.ts'
import { type Answer, CUT, failureAnswer, type Outcome } from './answer.ts'
import type { Failure } from './contract.ts'
import type { Room } from './room.ts'
import { serveApi } from './routes.ts'
import { send } from './send.ts'
import { readVisit } from './visit.ts'

/** A request for a WebSocket: scenarios and failures answer it as they answer any other. */
export async function serveUpgrade(
  room: Room,
  request: IncomingMessage,
  response: ServerResponse
): Promise<void> {
  const visit = readVisit(request.url ?? '')
  const outcome: Outcome =
    visit.segments[0] === 'api' && !hasBody(request)
      ? await serveApi(room, request, response, 'GET', visit)
      : failureAnswer(new RouteNotFound(request.method ?? '', visit.path))
  if (outcome === CUT || outcome.accept === undefined) {
    await send(request, response, outcome, room.held)
    return
  }
  await outcome.accept(outcome.headers).catch(async (error: Failure) => {
    if (error.statusCode === undefined || response.statusCode === 101) throw error
    await send(request, response, withoutHandshake(outcome, error), room.held)
  })
}

function withoutHandshake({ headers }: Answer, error: Failure): Answer {
  const answer = failureAnswer(error)
  return { ...answer, headers: { ...headers, ...answer.headers } }
}

/** Nobody reads bodies on such a connection. */
function hasBody({ headers, method }: IncomingMessage): boolean {
  const length = headers['content-length'] ?? '0'
  return method !== 'GET' || length !== '0' || headers['transfer-encoding'] !== undefined
}
