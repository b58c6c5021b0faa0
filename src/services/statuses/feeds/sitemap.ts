import { html } from '../../../kernel/html.ts'
import { xmlDocument } from '../../../kernel/xml.ts'
import { createLinks, monthPath, postPath, profilePath } from '../pages/links.ts'
import type { MonthCount, Site } from '../pages/views.ts'

export const XML_TYPE = 'application/xml; charset=utf-8'
export const SITEMAP_PATH = '/sitemap.xml'

/** Of one file, by the protocol. */
export const MAX_SITEMAP_URLS = 50_000
/** Posts of each file below an index: fewer, so that a file is rendered quickly. */
export const PART_POSTS = 10_000
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9'

export interface SitemapAccount {
  userName: string
  months: readonly MonthCount[]
}

export interface SitemapPost {
  userName: string
  id: string
}

/** `sitemap-0.xml` has the profiles and months, the others posts. */
export function sitemapPartPath(part: number): string {
  return `/sitemap-${part}.xml`
}

export function renderSitemap(
  accounts: readonly SitemapAccount[],
  posts: readonly SitemapPost[],
  site: Site
): string {
  const links = createLinks(site)
  const pages = accounts.flatMap(({ userName, months }) => [
    profilePath(userName),
    ...months.map(({ month }) => monthPath(userName, month))
  ])
  const paths = [...pages, ...posts.map(({ userName, id }) => postPath(userName, id))]
  return xmlDocument(html`<urlset xmlns="${NAMESPACE}">
${paths.map(
  (path) => html`<url><loc>${links.absolute(path)}</loc></url>
`
)}</urlset>`)
}

/** For more URLs than one file may have; `parts` includes part 0. */
export function renderSitemapIndex(parts: number, site: Site): string {
  const links = createLinks(site)
  const paths = Array.from({ length: parts }, (_, part) => sitemapPartPath(part))
  return xmlDocument(html`<sitemapindex xmlns="${NAMESPACE}">
${paths.map(
  (path) => html`<sitemap><loc>${links.absolute(path)}</loc></sitemap>
`
)}</sitemapindex>`)
}
