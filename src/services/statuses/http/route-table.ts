import { segmentsOf } from '../../../kernel/request-target.ts'

/**
 * All routes: a segment after a colon is a parameter. The first pattern that matches counts. Empty
 * segments are skipped, so a path may end with a slash. `browse` is `pages/routes-browse.ts`; parts
 * of the sitemap have the pattern of profiles.
 */
export const ROUTES = [
  { name: 'browse', pattern: '/' },
  { name: 'browse', pattern: '/search' },
  { name: 'oembed', pattern: '/oembed' },
  { name: 'tweetResult', pattern: '/tweet-result' },
  { name: 'browse', pattern: '/sitemap.xml' },
  { name: 'browse', pattern: '/robots.txt' },
  { name: 'browse', pattern: '/favicon.svg' },
  { name: 'browse', pattern: '/:user' },
  { name: 'post', pattern: '/status/:id' },
  { name: 'post', pattern: '/statuses/:id' },
  { name: 'media', pattern: '/media/:file' },
  { name: 'browse', pattern: '/:user/feed.xml' },
  { name: 'browse', pattern: '/:user/feed.json' },
  { name: 'tweet', pattern: '/api/tweet/:id' },
  { name: 'post', pattern: '/:user/status/:id' },
  { name: 'post', pattern: '/:user/statuses/:id' },
  { name: 'post', pattern: '/:user/thread/:id' },
  { name: 'post', pattern: '/i/web/status/:id' },
  { name: 'embed', pattern: '/:user/status/:id/embed' },
  { name: 'post', pattern: '/:user/status/:id/history' },
  { name: 'post', pattern: '/:user/status/:id/likes' },
  { name: 'post', pattern: '/:user/status/:id/retweets' },
  { name: 'post', pattern: '/:user/status/:id/quotes' },
  { name: 'post', pattern: '/:user/status/:id/analytics' },
  { name: 'browse', pattern: '/:user/archive/:year/:month' },
  { name: 'medium', pattern: '/:user/status/:id/photo/:position' },
  { name: 'medium', pattern: '/:user/status/:id/video/:position' },
  { name: 'medium', pattern: '/:user/statuses/:id/photo/:position' },
  { name: 'medium', pattern: '/:user/statuses/:id/video/:position' }
] as const

/** Routes of owners, with the scope that their token needs. GET includes HEAD. */
export const API_ROUTES = [
  { name: 'list', method: 'GET', pattern: '/api/statuses', scope: 'read' },
  { name: 'create', method: 'POST', pattern: '/api/statuses', scope: 'write' },
  { name: 'show', method: 'GET', pattern: '/api/statuses/:id', scope: 'read' },
  { name: 'change', method: 'PATCH', pattern: '/api/statuses/:id', scope: 'write' },
  { name: 'remove', method: 'DELETE', pattern: '/api/statuses/:id', scope: 'write' }
] as const

export type ApiRoute = (typeof API_ROUTES)[number]

export type RouteName = (typeof ROUTES)[number]['name']

export interface RouteMatch {
  name: RouteName
  /** As sent, percent-encoded. */
  params: Readonly<Record<string, string>>
}

const compiled = ROUTES.map(({ name, pattern }) => ({ name, parts: segmentsOf(pattern) }))

/** Undefined if there is no such route. */
export function matchRoute(path: string): RouteMatch | undefined {
  const segments = segmentsOf(path)
  for (const { name, parts } of compiled) {
    if (matches(parts, segments)) return { name, params: paramsOf(parts, segments) }
  }
  return undefined
}

const compiledApi = API_ROUTES.map((route) => ({ route, parts: segmentsOf(route.pattern) }))

export interface ApiMatch {
  /** One for each method. */
  routes: readonly ApiRoute[]
  params: Readonly<Record<string, string>>
}

/** Undefined if the path is not one of the API. */
export function matchApi(path: string): ApiMatch | undefined {
  const segments = segmentsOf(path)
  const found = compiledApi.filter(({ parts }) => matches(parts, segments))
  const [first] = found
  if (first === undefined) return undefined
  return { routes: found.map(({ route }) => route), params: paramsOf(first.parts, segments) }
}

function matches(parts: readonly string[], segments: readonly string[]): boolean {
  return (
    parts.length === segments.length &&
    parts.every((part, index) => part.startsWith(':') || part === segments[index])
  )
}

function paramsOf(parts: readonly string[], segments: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {}
  for (const [index, part] of parts.entries()) {
    if (part.startsWith(':')) params[part.slice(1)] = segments[index] ?? ''
  }
  return params
}
