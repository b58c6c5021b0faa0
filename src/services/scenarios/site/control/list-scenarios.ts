import { MethodNotAllowed } from '../../contract.ts'
import { type ApiResponse, json } from '../../http/response.ts'
import { SCENARIOS } from '../../scenario/registry.ts'
import { curlOf, readExample } from '../pages/example.ts'
import type { SiteRequest } from '../site-route.ts'

/** `GET /_scenarios`: every scenario with an example for curl. */
export async function handleCatalogue({
  context,
  request,
  method
}: SiteRequest): Promise<ApiResponse> {
  if (method !== 'GET') throw new MethodNotAllowed()
  const base = context.kernel.baseUrl(request)
  const scenarios = SCENARIOS.map(({ name, usage, about, example }) => {
    return { name, usage, about, curl: curlOf(base, readExample(name, example)) }
  })
  return json({ scenarios })
}
