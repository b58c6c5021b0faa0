import { html, type Markup } from '../../../kernel/html.ts'
import type { Post } from '../records/record.ts'
import { renderAuthor, shownName } from './layout.ts'
import { createLinks, type Links, postPath } from './links.ts'
import { renderMedia } from './media.ts'
import { countText, renderText, safeUrl, type TextContext, timeText } from './text.ts'
import type { PostItem, ReferencedPost, Site } from './views.ts'

/** Code points; longer texts are cut in lists and quotations. */
const MAX_LIST_TEXT = 600

const NOT_AVAILABLE = 'This post is not available.'

/** Codes of the original site that are no languages, and two that were replaced. */
const NO_LANGUAGES = /^(?:und|zxx|art|q[a-t][a-z])$/
const LANGUAGES: Readonly<Record<string, string>> = { in: 'id', iw: 'he', ji: 'yi' }

export interface ArticleOptions {
  /** `main` is the post that a page is about; in a `feed` all posts are of one author. */
  role: 'main' | 'list' | 'feed'
}

export function renderArticle(item: PostItem, site: Site, { role }: ArticleOptions): Markup {
  const { post } = item
  const context: TextContext = {
    baseUrl: site.baseUrl,
    links: createLinks(site),
    linked: item.linked
  }
  const { links } = context
  const isMain = role === 'main'
  return html`<article class="post ${isMain ? 'main' : ''} h-entry">
${role !== 'feed' && renderAuthor(post.account, links)}
${renderReplyLine(item, links, isMain)}
${renderBody(post, context, isMain)}
${renderQuoted(item.quoted, context)}
<p class="facts soft">${renderTime(post, links)}${renderCounts(post)}</p>
</article>`
}

/** Text and media, behind the content warning if there is one. */
function renderBody(post: Post, context: TextContext, isMain: boolean): Markup {
  const body = html`${renderParagraph(post, context, !isMain)}
${renderMedia(post, context.links, isMain)}`
  if (post.summary === undefined || post.summary.trim() === '') return body
  return html`<details class="warning"><summary><span class="p-summary" dir="auto">${post.summary}</span></summary>
${body}
</details>`
}

function renderParagraph(post: Post, context: TextContext, isCut: boolean): Markup | false {
  if (post.text === '') return false
  const cut = isCut ? cutPost(post) : post
  const more =
    cut !== post &&
    html`<p><a href="${context.links.to(postPath(post.account.userName, post.id))}">Read more</a></p>`
  return html`<p class="e-content text"${langOf(post.lang)} dir="auto">${renderText(cut, context)}</p>${more}`
}

function cutPost(post: Post): Post {
  const characters = Array.from(post.text)
  if (characters.length <= MAX_LIST_TEXT * 1.2) return post
  return {
    ...post,
    text: `${characters.slice(0, MAX_LIST_TEXT).join('').trimEnd()}…`,
    entities: post.entities.filter(({ end }) => end < MAX_LIST_TEXT)
  }
}

function langOf(lang: string | undefined): Markup | false {
  if (lang === undefined || !/^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(lang)) return false
  if (NO_LANGUAGES.test(lang)) return false
  return html` lang="${LANGUAGES[lang] ?? lang}"`
}

/** The page of a post shows the thread that it continues. */
function renderReplyLine(
  { post, repliesTo: parent }: PostItem,
  links: Links,
  isMain: boolean
): Markup | false {
  if (parent === undefined) return false
  if (parent.kind === 'unavailable') {
    return html`<p class="soft small">Reply to a post that is not available</p>`
  }
  if (parent.kind === 'shown') {
    const { account, id } = parent.post
    const target = links.to(postPath(account.userName, id))
    const isOwn = account.id === post.account.id
    if (isOwn && isMain) return false
    return html`<p class="soft small">${isOwn ? 'Continues' : 'Reply to'} <a class="u-in-reply-to" href="${target}">${isOwn ? 'a thread' : `@${account.userName}`}</a></p>`
  }
  const name = parent.userName === undefined ? 'a post' : `@${parent.userName}`
  const url = safeUrl(parent.url)
  return html`<p class="soft small">Reply to ${
    url === undefined
      ? html`<bdi>${name}</bdi>`
      : html`<a class="u-in-reply-to" href="${url}" rel="nofollow noopener ugc"><bdi>${name}</bdi></a>`
  }</p>`
}

function renderQuoted(quoted: ReferencedPost | undefined, context: TextContext): Markup | false {
  if (quoted === undefined) return false
  if (quoted.kind === 'unavailable') {
    return html`<blockquote class="quoted soft"><p>${NOT_AVAILABLE}</p></blockquote>`
  }
  if (quoted.kind === 'elsewhere') return renderForeignQuote(quoted.url)
  const { post } = quoted
  const { links } = context
  const path = postPath(post.account.userName, post.id)
  return html`<blockquote class="quoted u-quotation-of h-cite" cite="${links.absolute(path)}">
<p class="small p-author h-card"><b class="p-name"><bdi>${shownName(post.account)}</bdi></b> <span class="soft">@${post.account.userName}</span></p>
${renderBody(post, context, false)}
<p class="facts soft">${renderTime(post, links)}</p>
</blockquote>`
}

function renderForeignQuote(given: string | undefined): Markup | false {
  const url = safeUrl(given)
  if (url === undefined) return false
  return html`<blockquote class="quoted u-quotation-of h-cite" cite="${url}"><p><a class="u-url" href="${url}" rel="nofollow noopener ugc">Quoted post on ${new URL(url).hostname}</a></p></blockquote>`
}

function renderTime(post: Post, links: Links): Markup {
  const target = links.to(postPath(post.account.userName, post.id))
  const edited =
    post.editedAt !== undefined &&
    html` <span>edited <time class="dt-updated" datetime="${post.editedAt}">${timeText(post.editedAt)}</time></span>`
  return html`<a class="u-url u-uid" href="${target}"><time class="dt-published" datetime="${post.createdAt}">${timeText(post.createdAt)}</time></a>${edited}`
}

/** What is unknown or zero is not shown. */
function renderCounts({ counts }: Post): Markup[] {
  const shown = [
    [counts.reposts, 'repost', 'reposts'],
    [counts.likes, 'like', 'likes'],
    [counts.replies, 'reply', 'replies'],
    [counts.quotes, 'quote', 'quotes']
  ] as const
  return shown.flatMap(([count, one, several]) =>
    count === null || count <= 0 ? [] : [html` <span>${countText(count, one, several)}</span>`]
  )
}
