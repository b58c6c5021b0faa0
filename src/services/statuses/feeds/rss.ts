import { html, type Markup } from '../../../kernel/html.ts'
import { xmlDocument } from '../../../kernel/xml.ts'
import { feedPath, type Links, mediaPath, postPath, profilePath } from '../pages/links.ts'
import { altOf, isVideo } from '../pages/media.ts'
import { authorTitle, describePost } from '../pages/metadata.ts'
import { excerptOf } from '../pages/text.ts'
import type { PostItem, Site } from '../pages/views.ts'
import type { Account, Medium } from '../records/record.ts'
import { absoluteLinks, feedContent, hashtagsOf } from './content.ts'

export const RSS_TYPE = 'application/rss+xml; charset=utf-8'
const MAX_TITLE = 80

const NAMESPACES = {
  markup:
    'xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/"'
}

/** RSS 2.0 of the newest posts of an account. */
export function renderRss(account: Account, items: readonly PostItem[], site: Site): string {
  const links = absoluteLinks(site)
  const { userName, avatarHash } = account
  const profile = links.absolute(profilePath(userName))
  const title = authorTitle(account)
  const newest = items[0]?.post.createdAt
  return xmlDocument(html`<rss version="2.0" ${NAMESPACES}>
<channel>
<title>${title}</title>
<link>${profile}</link>
<description>${account.bio || `Posts of ${title}`}</description>
<atom:link rel="self" type="application/rss+xml" href="${links.absolute(feedPath(userName, 'xml'))}"/>
${newest !== undefined && html`<lastBuildDate>${rssDate(newest)}</lastBuildDate>`}
${avatarHash !== undefined && html`<image><url>${links.file(mediaPath(avatarHash))}</url><title>${title}</title><link>${profile}</link></image>`}
${items.map((item) => renderItem(item, site, links))}</channel>
</rss>`)
}

function renderItem(item: PostItem, site: Site, links: Links): Markup {
  const { post } = item
  const url = links.absolute(postPath(post.account.userName, post.id))
  const media = post.sensitive || post.summary !== undefined ? [] : post.media
  return html`<item>
<title>${excerptOf(describePost(post), MAX_TITLE)}</title>
<link>${url}</link>
<guid isPermaLink="true">${url}</guid>
<pubDate>${rssDate(post.createdAt)}</pubDate>
<dc:creator>${authorTitle(post.account)}</dc:creator>
<description>${feedContent(item, site)}</description>
${hashtagsOf(post).map((tag) => html`<category>${tag}</category>`)}
${media.map((medium) => renderMedium(medium, links))}</item>
`
}

function renderMedium(medium: Medium, links: Links): Markup {
  const source = links.file(mediaPath(medium.hash, medium.mediaType))
  const kind = isVideo(medium) ? 'video' : 'image'
  return html`<media:content url="${source}" type="${medium.mediaType}" medium="${kind}" width="${medium.width}" height="${medium.height}"><media:description type="plain">${altOf(medium)}</media:description></media:content>
`
}

/** RFC 822 with the year in four digits. */
function rssDate(time: string): string {
  return new Date(time).toUTCString().replace('GMT', '+0000')
}
