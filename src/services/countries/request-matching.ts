import type { IncomingMessage } from 'node:http'
import { essenceOf } from '../../kernel/media-type.ts'
import { parseRequestTarget } from '../../kernel/request-target.ts'
import { GRAPHQL_PATHS } from './contract.ts'

/** Query string without the question mark; undefined if the path is not a GraphQL path. */
export function graphqlQuery({ url = '' }: IncomingMessage): string | undefined {
  const { path, query } = parseRequestTarget(url)
  return GRAPHQL_PATHS.includes(path) ? query : undefined
}

/** Whether a browser opens the page, without a GraphQL query in the URL. */
export function wantsPlayground({ method, headers }: IncomingMessage, query: string): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  if (headers.accept?.includes('text/html') !== true) return false
  return !/(?:^|[?&])(query|extensions)=/.test(query)
}

export function isJson({ headers }: IncomingMessage): boolean {
  return essenceOf(headers['content-type'] ?? '') === 'application/json'
}

/** Only GET, HEAD and POST with JSON are cached; `fastPath` serves no other requests. */
export function isCacheable(request: IncomingMessage): boolean {
  const { method } = request
  return method === 'GET' || method === 'HEAD' || (method === 'POST' && isJson(request))
}

/** All parts of a request that determine its response. */
export function cacheKey(request: IncomingMessage, query: string, body: string): string {
  const { method, headers } = request
  const kind = method === 'POST' ? headers['content-type'] : ''
  return `${kind}\n${headers.accept ?? ''}\n${query}\n${body}`
}
