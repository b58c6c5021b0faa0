import { html, type Markup } from '../../../kernel/html.ts'
import { createLinks, monthPath, postPath, profilePath } from '../pages/links.ts'
import type { MonthCount, Site } from '../pages/views.ts'
import { xmlDocument } from './xml.ts'

export const XML_TYPE = 'application/xml; charset=utf-8'
export const SITEMAP_PATH = '/sitemap.xml'

/** Of the protocol. */
export const MAX_SITEMAP_URLS = 50_000
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9'

export interface SitemapAccount {
  userName: string
  months: readonly MonthCount[]
}

export interface SitemapPost {
  userName: string
  id: string
  /** ISO 8601. */
  changedAt: string
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
  return xmlDocument(html`<urlset xmlns="${NAMESPACE}">
${pages.map((path) => renderUrl(links.absolute(path)))}${posts.map(({ userName, id, changedAt }) =>
  renderUrl(links.absolute(postPath(userName, id)), changedAt)
)}</urlset>`)
}

function renderUrl(url: string, changedAt?: string): Markup {
  return html`<url><loc>${url}</loc>${changedAt !== undefined && html`<lastmod>${changedAt}</lastmod>`}</url>
`
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
