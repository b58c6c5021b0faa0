import { RouteNotFound } from '../../../../kernel/errors.ts'
import { type ApiResponse, json } from '../../http/response.ts'
import type { SiteRequest } from '../../site/site-route.ts'

/** `GET /.well-known/jwks.json`: public keys for the verification of access tokens. */
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
