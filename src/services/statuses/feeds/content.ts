import { html, type Markup } from '../../../kernel/html.ts'
import { createLinks, type Links, mediaPath, postPath } from '../pages/links.ts'
import { altOf, isVideo, mediaText } from '../pages/media.ts'
import { renderText } from '../pages/text.ts'
import type { PostItem, Site } from '../pages/views.ts'
import type { Medium, Post } from '../records/record.ts'

/** Posts in a feed, newest first. */
export const MAX_FEED_POSTS = 30

/** Links of feeds are absolute, because readers show them elsewhere. */
export function absoluteLinks({ name, baseUrl, staticFiles }: Site): Links {
  const links = createLinks({ name, baseUrl, staticFiles })
  const { origin } = new URL(baseUrl)
  return {
    isStatic: links.isStatic,
    to: (path, query) => origin + links.to(path, query),
    file: links.absolute,
    absolute: links.absolute
  }
}

/** The post as HTML without classes; what is behind a warning on its page is not in the feed. */
export function feedContent(item: PostItem, site: Site): string {
  const { post, linked } = item
  const links = absoluteLinks(site)
  const url = links.absolute(postPath(post.account.userName, post.id))
  if (post.summary !== undefined && post.summary.trim() !== '') {
    return html`<p>${post.summary}</p><p><a href="${url}">Show the post</a></p>`.markup
  }
  const text = renderText(post, { baseUrl: site.baseUrl, links, linked })
  return html`${post.text !== '' && html`<p>${{ markup: text.markup.replaceAll('\n', '<br>\n') }}</p>`}${renderMedia(post, url, links)}${renderQuoted(item, site)}`
    .markup
}

function renderMedia(post: Post, url: string, links: Links): Markup | false {
  if (post.media.length === 0) return false
  if (post.sensitive) {
    return html`<p><a href="${url}">Sensitive media: ${mediaText(post.media)}</a></p>`
  }
  return html`${post.media.map((medium) => html`<p>${renderMedium(medium, links)}</p>`)}`
}

function renderMedium(medium: Medium, links: Links): Markup {
  const source = links.file(mediaPath(medium.hash, medium.mediaType))
  if (isVideo(medium)) return html`<a href="${source}">${altOf(medium)}</a>`
  return html`<img src="${source}" width="${medium.width}" height="${medium.height}" alt="${altOf(medium)}">`
}

function renderQuoted({ quoted, linked }: PostItem, site: Site): Markup | false {
  if (quoted?.kind !== 'shown') return false
  const { post } = quoted
  const url = absoluteLinks(site).absolute(postPath(post.account.userName, post.id))
  const content = feedContent({ post, quoted: undefined, repliesTo: undefined, linked }, site)
  return html`<blockquote cite="${url}">${{ markup: content }}<p><a href="${url}">@${post.account.userName}</a></p></blockquote>`
}

/** Without the sign. */
export function hashtagsOf({ text, entities }: Post): string[] {
  const characters = Array.from(text)
  const tags = entities
    .filter(({ type }) => type === 'hashtag')
    .map(({ start, end }) =>
      characters
        .slice(start, end)
        .join('')
        .replace(/^[#＃]/, '')
    )
  return [...new Set(tags.filter((tag) => tag !== ''))]
}
