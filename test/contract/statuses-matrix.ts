import type { ROUTES } from '../../src/services/statuses/http/route-table.ts'

const MONTH_WITHOUT = '/ada/archive/2011/05'

/** How a route is asked for a post by id; `list` shows many posts. */
type Check =
  | { kind: 'id'; path: (name: string, id: string) => string }
  | { kind: 'list'; paths: string[] }

const list = (...paths: string[]): Check => ({ kind: 'list', paths })
const byId = (path: (name: string, id: string) => string): Check => ({ kind: 'id', path })
/** Routes whose id is in the path. */
const inPath = (pattern: string): Check =>
  byId((name, id) => pattern.replace(':user', name).replace(':id', id).replace(':position', '1'))

/** Every route of the service, as that of the account `ada`; a new one must be added here. */
export const MATRIX: Readonly<Record<(typeof ROUTES)[number]['pattern'], Check>> = {
  '/': list('/'),
  '/search': list('/search', '/search?q=text', '/search?q=from:ada', '/search?q=has:media'),
  '/oembed': byId((name, id) => `/oembed?url=https://twitter.com/${name}/status/${id}`),
  '/tweet-result': byId((_name, id) => `/tweet-result?id=${id}&token=x`),
  '/sitemap.xml': list('/sitemap.xml', '/sitemap-0.xml', '/sitemap-1.xml'),
  '/robots.txt': list('/robots.txt'),
  '/favicon.svg': list('/favicon.svg'),
  '/:user': list('/ada', '/ADA'),
  '/status/:id': inPath('/status/:id'),
  '/statuses/:id': inPath('/statuses/:id'),
  '/media/:file': list('/media/default.svg'),
  '/:user/feed.xml': list('/ada/feed.xml'),
  '/:user/feed.json': list('/ada/feed.json'),
  '/api/tweet/:id': inPath('/api/tweet/:id'),
  '/:user/status/:id': inPath('/:user/status/:id'),
  '/:user/statuses/:id': inPath('/:user/statuses/:id'),
  '/:user/thread/:id': inPath('/:user/thread/:id'),
  '/i/web/status/:id': inPath('/i/web/status/:id'),
  '/:user/status/:id/embed': inPath('/:user/status/:id/embed'),
  '/:user/status/:id/history': inPath('/:user/status/:id/history'),
  '/:user/status/:id/likes': inPath('/:user/status/:id/likes'),
  '/:user/status/:id/retweets': inPath('/:user/status/:id/retweets'),
  '/:user/status/:id/quotes': inPath('/:user/status/:id/quotes'),
  '/:user/status/:id/analytics': inPath('/:user/status/:id/analytics'),
  '/:user/archive/:year/:month': list(
    '/ada/archive/2009/03',
    MONTH_WITHOUT,
    '/ada/archive/2010/01'
  ),
  '/:user/status/:id/photo/:position': inPath('/:user/status/:id/photo/:position'),
  '/:user/status/:id/video/:position': inPath('/:user/status/:id/video/:position'),
  '/:user/statuses/:id/photo/:position': inPath('/:user/statuses/:id/photo/:position'),
  '/:user/statuses/:id/video/:position': inPath('/:user/statuses/:id/video/:position')
}
