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
    if (parts.length === segments.length && parts.every(matches)) {
      return { name, params: paramsOf(parts, segments) }
    }
  }
  return undefined

  function matches(part: string, index: number): boolean {
    return part.startsWith(':') || part === segments[index]
  }
}

function paramsOf(parts: readonly string[], segments: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {}
  for (const [index, part] of parts.entries()) {
    if (part.startsWith(':')) params[part.slice(1)] = segments[index] ?? ''
  }
  return params
}
