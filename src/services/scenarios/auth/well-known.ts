import { RouteNotFound } from '../../../kernel/failures.ts'
import { type Answer, json } from '../answer.ts'
import type { PlaceCall } from '../site-route.ts'

/** `GET /.well-known/jwks.json`: what others verify access tokens with. */
export async function answerWellKnown({ room, method, visit }: PlaceCall): Promise<Answer> {
  if (method !== 'GET' || visit.segments.join('/') !== '.well-known/jwks.json') {
    throw new RouteNotFound(method, visit.path)
  }
  return json(await room.signing.publicKeys())
}
