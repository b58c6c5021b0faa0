import { html, type Markup } from '../../../kernel/html.ts'
import { absoluteLinks } from '../feeds/content.ts'
import { shownName } from '../pages/layout.ts'
import { postPath, profilePath } from '../pages/links.ts'
import { renderText, timeText } from '../pages/text.ts'
import type { PostItem, Site } from '../pages/views.ts'

const WIDTH = { default: 550, minimum: 220, maximum: 550 }
const CACHE_SECONDS = 86_400
/** Of a frame; its content may be higher, and scrolls then. */
const FRAME_HEIGHT = 500

/** Widths out of range are clamped; what is no number is ignored. */
export function widthOf(maxWidth: string | null): number {
  if (maxWidth === null || !/^\d{1,9}$/.test(maxWidth)) return WIDTH.default
  return Math.min(WIDTH.maximum, Math.max(WIDTH.minimum, Number(maxWidth)))
}

export interface OembedOptions {
  width: number
  /** A frame with the page for embedding instead of the text. */
  isFrame: boolean
}

export function oembedOf(item: PostItem, site: Site, { width, isFrame }: OembedOptions): object {
  const { account, id } = item.post
  const url = site.baseUrl + postPath(account.userName, id)
  return {
    version: '1.0',
    type: 'rich',
    url,
    author_name: shownName(account),
    author_url: site.baseUrl + profilePath(account.userName),
    provider_name: site.name,
    provider_url: site.baseUrl,
    cache_age: CACHE_SECONDS,
    width,
    height: null,
    html: (isFrame ? frame(item, url, width) : quotation(item, site, url)).markup
  }
}

/** What is behind a warning on the page of the post is not shown. */
function quotation({ post, linked }: PostItem, site: Site, url: string): Markup {
  const { account, summary, lang } = post
  const context = { baseUrl: site.baseUrl, links: absoluteLinks(site), linked }
  const text = summary === undefined ? renderText(post, context) : html`${summary}`
  const language = lang !== undefined && html` lang="${lang}"`
  return html`<blockquote class="nonet-status" cite="${url}"><p${language} dir="auto">${text}</p>&mdash; ${shownName(account)} (@${account.userName}) <a href="${url}">${timeText(post.createdAt)}</a></blockquote>`
}

function frame({ post }: PostItem, url: string, width: number): Markup {
  return html`<iframe src="${url}/embed" width="${width}" height="${FRAME_HEIGHT}" title="Post by ${shownName(post.account)}" loading="lazy" style="border:0;max-width:100%"></iframe>`
}
