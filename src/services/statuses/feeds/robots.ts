import { createLinks } from '../pages/links.ts'
import type { Site } from '../pages/views.ts'
import { SITEMAP_PATH } from './sitemap.ts'

export const ROBOTS_TYPE = 'text/plain; charset=utf-8'

/** Results of searches are no pages of their own; all posts are in the sitemap. */
export function renderRobots(site: Site): string {
  const links = createLinks(site)
  const search = links.isStatic ? '' : `Disallow: ${links.file('/search')}\n`
  return `User-agent: *
${search}Allow: /

Sitemap: ${links.absolute(SITEMAP_PATH)}
`
}
