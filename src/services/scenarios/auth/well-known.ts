import { RouteNotFound } from '../../../kernel/failures.ts'
import { type ApiResponse, json } from '../answer.ts'
import type { SiteRequest } from '../site-route.ts'

/** `GET /.well-known/jwks.json`: what others verify access tokens with. */
export async function handleWellKnown({
  context,
  method,
  target
}: SiteRequest): Promise<ApiResponse> {
  if (method !== 'GET' || target.segments.join('/') !== '.well-known/jwks.json') {
    throw new RouteNotFound(method, target.path)
  }
  return json(await context.signing.publicKeys())
}
