import { decodeSegment } from '../../../kernel/request-target.ts'
import { ContentMethodNotAllowed, RouteUnknown } from '../contract.ts'
import { type ContentQuery, readContentQuery, requireParameters } from './content-query.ts'

export type ReadName = 'boards' | 'board' | 'cards' | 'card' | 'feedXml' | 'feedJson' | 'openapi'
export type WriteName = 'changeBoard' | 'changeList' | 'changeCard' | 'addPreviewToken' | 'signUrl'

interface Route {
  readonly name: ReadName | WriteName
  readonly method: 'GET' | 'PATCH' | 'POST'
  /** Below `/content`. */
  readonly pattern: string
}

export const CONTENT_ROUTES = [
  { name: 'boards', method: 'GET', pattern: '/' },
  { name: 'board', method: 'GET', pattern: '/:board' },
  { name: 'changeBoard', method: 'PATCH', pattern: '/:board' },
  { name: 'cards', method: 'GET', pattern: '/:board/cards' },
  { name: 'feedXml', method: 'GET', pattern: '/:board/feed.xml' },
  { name: 'feedJson', method: 'GET', pattern: '/:board/feed.json' },
  { name: 'openapi', method: 'GET', pattern: '/:board/openapi.json' },
  { name: 'card', method: 'GET', pattern: '/:board/cards/:card' },
  { name: 'changeCard', method: 'PATCH', pattern: '/:board/cards/:card' },
  { name: 'changeList', method: 'PATCH', pattern: '/:board/lists/:list' },
  { name: 'addPreviewToken', method: 'POST', pattern: '/:board/preview-tokens' },
  { name: 'signUrl', method: 'POST', pattern: '/:board/attachments/:attachment/signed-url' }
] as const satisfies readonly Route[]

export type Parameters = Readonly<Record<string, string>>

/** What a request wants, of its method, path and query. */
export type Plan =
  | { readonly kind: 'read'; readonly name: ReadName; readonly read: ReadPlan }
  | { readonly kind: 'write'; readonly name: WriteName; readonly params: Parameters }
  | { readonly kind: 'options'; readonly allow: string }

export interface ReadPlan {
  readonly board: string
  /** Id or slug; empty if the route has none. */
  readonly card: string
  /** Undefined for other routes than lists of cards. */
  readonly query: ContentQuery | undefined
  /** The same for all requests with the same response, as far as the URL tells. */
  readonly key: string
}

/** Throws if there is no such route or parameter. `segments` are those after `content`. */
export function planRequest(
  method: string,
  path: string,
  segments: readonly string[],
  query: URLSearchParams
): Plan {
  const found = CONTENT_ROUTES.flatMap((route) => {
    const params = matchPattern(route.pattern, segments)
    return params === undefined ? [] : [{ route, params }]
  })
  if (found.length === 0) throw new RouteUnknown(method, path)
  const methods = found.flatMap(({ route }) => (route.method === 'GET' ? GET : [route.method]))
  const allow = [...methods, 'OPTIONS'].join(', ')
  if (method === 'OPTIONS') return { kind: 'options', allow }
  const wanted = method === 'HEAD' ? 'GET' : method
  const chosen = found.find(({ route }) => route.method === wanted)
  if (chosen === undefined) {
    throw Object.assign(new ContentMethodNotAllowed(method, allow), { headers: { allow } })
  }
  const { route, params } = chosen
  if (route.method !== 'GET') return { kind: 'write', name: route.name, params }
  return { kind: 'read', name: route.name, read: readPlan(route.name, params, query) }
}

const GET = ['GET', 'HEAD']

function readPlan(name: ReadName, params: Parameters, query: URLSearchParams): ReadPlan {
  const { board = '', card = '' } = params
  const read = name === 'cards' ? readContentQuery(query) : undefined
  if (read === undefined) requireParameters(query, [])
  return { board, card, query: read, key: JSON.stringify([name, board, card, read]) }
}

function matchPattern(pattern: string, segments: readonly string[]): Parameters | undefined {
  const parts = pattern.split('/').filter((part) => part !== '')
  if (parts.length !== segments.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, part] of parts.entries()) {
    const value = decodeSegment(segments[index] ?? '')
    if (value === undefined || value.includes('\0')) return undefined
    if (part.startsWith(':')) params[part.slice(1)] = value
    else if (part !== value) return undefined
  }
  return params
}
