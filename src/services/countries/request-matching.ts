import type { IncomingMessage } from 'node:http'
import { essenceOf } from '../../kernel/media-type.ts'
import { parseRequestTarget } from '../../kernel/request-target.ts'
import { GRAPHQL_PATHS } from './contract.ts'

/** Behind the question mark; undefined if the path is not one of GraphQL. */
export function graphqlQuery({ url = '' }: IncomingMessage): string | undefined {
  const { path, query } = parseRequestTarget(url)
  return GRAPHQL_PATHS.includes(path) ? query : undefined
}

/** A browser that opens the address, not a program that asks a question. */
export function wantsPlayground({ method, headers }: IncomingMessage, query: string): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  if (headers.accept?.includes('text/html') !== true) return false
  return !/(?:^|[?&])(query|extensions)=/.test(query)
}

export function isJson({ headers }: IncomingMessage): boolean {
  return essenceOf(headers['content-type'] ?? '') === 'application/json'
}

/** Only these are answered with what they ask for, so only their answers are worth keeping. */
export function isCacheable(request: IncomingMessage): boolean {
  const { method } = request
  return method === 'GET' || method === 'HEAD' || (method === 'POST' && isJson(request))
}

/** Everything of a request that decides the bytes of its answer. */
export function cacheKey(request: IncomingMessage, query: string, body: string): string {
  const { method, headers } = request
  const kind = method === 'POST' ? headers['content-type'] : ''
  return `${kind}\n${headers.accept ?? ''}\n${query}\n${body}`
}
