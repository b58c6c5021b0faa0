import { html, type Markup } from '../html.ts'
import { xmlDocument } from '../xml.ts'
import type { Feed, FeedItem, FeedMedium } from './feed.ts'

export const RSS_TYPE = 'application/rss+xml; charset=utf-8'

const NAMESPACES = {
  markup:
    'xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/"'
}

/** RSS 2.0; a description is required there. */
export function renderRss(feed: Feed & { readonly description: string }): string {
  const { title, homeUrl, iconUrl, items } = feed
  const newest = items[0]?.publishedAt
  return xmlDocument(html`<rss version="2.0" ${NAMESPACES}>
<channel>
<title>${title}</title>
<link>${homeUrl}</link>
<description>${feed.description}</description>
<atom:link rel="self" type="application/rss+xml" href="${feed.feedUrl}"/>
${newest !== undefined && html`<lastBuildDate>${rssDate(newest)}</lastBuildDate>`}
${iconUrl !== undefined && html`<image><url>${iconUrl}</url><title>${title}</title><link>${homeUrl}</link></image>`}
${items.map(renderItem)}</channel>
</rss>`)
}

function renderItem(item: FeedItem): Markup {
  const { id, url, authorName } = item
  return html`<item>
<title>${item.title ?? item.excerpt ?? url}</title>
<link>${url}</link>
<guid isPermaLink="${id === url ? 'true' : 'false'}">${id}</guid>
<pubDate>${rssDate(item.publishedAt)}</pubDate>
${authorName !== undefined && html`<dc:creator>${authorName}</dc:creator>`}
<description>${item.html}</description>
${item.tags.map((tag) => html`<category>${tag}</category>`)}
${item.media.map(renderMedium)}</item>
`
}

function renderMedium({ url, mediaType, title, width, height }: FeedMedium): Markup {
  const kind = KINDS.find((one) => mediaType.startsWith(`${one}/`)) ?? 'document'
  const size =
    width !== undefined && height !== undefined && html` width="${width}" height="${height}"`
  return html`<media:content url="${url}" type="${mediaType}" medium="${kind}"${size}><media:description type="plain">${title}</media:description></media:content>
`
}

const KINDS = ['image', 'video', 'audio']

/** RFC 822 with the year in four digits. */
function rssDate(time: string): string {
  return new Date(time).toUTCString().replace('GMT', '+0000')
}
