import { html, type Markup } from '../../../kernel/html.ts'
import { emptyState, time } from '../../../kernel/page-parts.ts'
import { postPath } from '../pages/links.ts'
import { altOf, isVideo } from '../pages/media.ts'
import { isolate } from '../pages/text.ts'
import type { OwnPost } from '../records/own-post.ts'
import type { Medium } from '../records/record.ts'
import { FILTERS, type Filter, pageUrl, postFormUrl, type WritingView } from './view.ts'

const FILTER_NAMES: Readonly<Record<Filter, string>> = {
  all: 'All',
  public: 'Public',
  hidden: 'Hidden',
  deleted: 'Deleted'
}

const EMPTY: Readonly<Record<Filter, readonly [string, string]>> = {
  all: ['No posts yet', 'Write the first one above, or import an archive.'],
  public: ['No public posts', 'Posts that everyone can see are listed here.'],
  hidden: ['No hidden posts', 'Posts that only you can see are listed here.'],
  deleted: ['No deleted posts', 'Deleted posts can be restored here for a day.']
}

/** The posts of the account, newest first. */
export function renderPosts(view: WritingView): Markup | false {
  const { account, posts, filter } = view
  if (account === undefined) return false
  const [title, next] = EMPTY[filter]
  return html`<section class="own-posts" id="posts" aria-labelledby="posts-title">
<header><h2 id="posts-title">Posts of @${account.userName}</h2>
<nav aria-label="Posts by visibility"><ul class="filters">${FILTERS.map((one) => renderFilter(one, view))}</ul></nav></header>
${posts.length === 0 ? emptyState(title, next) : html`<ol class="stream">${posts.map((post) => renderPost(post, view))}</ol>`}
${renderPaging(view)}
</section>`
}

function renderFilter(one: Filter, { prefix, account, filter }: WritingView): Markup {
  const href = pageUrl(prefix, { account: account?.userName, show: one }, '#posts')
  return html`<li><a href="${href}"${one === filter && html` aria-current="true"`}>${FILTER_NAMES[one]}</a></li>`
}

function renderPaging({ prefix, account, filter, before, cursor }: WritingView): Markup | false {
  if (before === undefined && cursor === undefined) return false
  const query = { account: account?.userName, show: filter }
  return html`<nav class="pages" aria-label="More posts">
${cursor !== undefined && html`<a class="quiet" href="${pageUrl(prefix, query, '#posts')}">Newest</a>`}
${before !== undefined && html`<a class="quiet" href="${pageUrl(prefix, { ...query, before }, '#posts')}">Older</a>`}
</nav>`
}

function renderPost(post: OwnPost, view: WritingView): Markup {
  const { id, visibility, text, media } = post
  return html`<li id="post-${id}" class="own" data-visibility="${visibility}">
<p class="meta">${renderTime(post, view)}${visibility !== 'public' && html`<span class="chip">${visibility}</span>`}${post.replyTo !== undefined && html`<span>reply${post.replyTo.userName !== undefined && ` to @${post.replyTo.userName}`}</span>`}${post.sensitive && html`<span>sensitive</span>`}</p>
${post.summary !== undefined && html`<p class="soft">${isolate(post.summary)}</p>`}
${text !== '' && html`<p class="text" dir="auto">${isolate(text)}</p>`}
${media.length > 0 && html`<ul class="thumbs">${media.map((medium) => renderThumb(medium, view))}</ul>`}
<form method="post" action="${postFormUrl(view, post)}" data-fetch>
${renderActions(post, view)}
</form>
</li>`
}

function renderTime(
  { id, visibility, createdAt, account }: OwnPost,
  { site }: WritingView
): Markup {
  if (visibility !== 'public') return html`<span>${time(createdAt)}</span>`
  return html`<a href="${site}${postPath(account.userName, id)}">${time(createdAt)}</a>`
}

function renderThumb(medium: Medium, { prefix }: WritingView): Markup {
  const shown = isVideo(medium) ? medium.posterHash : medium.hash
  const alt = altOf(medium)
  if (shown === undefined) return html`<li><span class="chip" title="${alt}">video</span></li>`
  return html`<li><img src="${prefix}/media/${shown}" alt="${alt}" title="${alt}" width="120" height="120" loading="lazy"></li>`
}

/** Buttons of one form, whose `do` says what is to be done. */
function renderActions(post: OwnPost, view: WritingView): Markup {
  const button = (action: string, label: string) =>
    html`<button class="quiet" name="do" value="${action}">${label}</button>`
  if (post.visibility === 'deleted') {
    return html`<div class="actions">${button('show', 'Restore')}${button('hide', 'Restore hidden')}
${post.restorableUntil !== undefined && html`<span class="soft small">possible until ${time(post.restorableUntil)}</span>`}</div>`
  }
  const reply = pageUrl(view.prefix, { account: post.account.userName, reply: post.id }, '#text')
  return html`<div class="actions">${post.visibility === 'public' ? button('hide', 'Hide') : button('show', 'Show')}
<a class="quiet" href="${reply}">Reply</a>
${button('delete', 'Delete')}</div>
${post.media.length > 0 && renderDescriptions(post, button('describe', 'Save descriptions'))}`
}

function renderDescriptions({ id, media }: OwnPost, save: Markup): Markup {
  const missing = media.filter(({ alt = '' }) => alt.trim() === '').length
  return html`<details class="describe"><summary>Descriptions of images${missing > 0 && html` <span class="chip missing">${missing} missing</span>`}</summary>
${media.map(
  ({ alt = '' }, index) =>
    html`<label for="alt-${id}-${index}">${media.length === 1 ? 'Description' : `Description of image ${index + 1}`}</label><textarea id="alt-${id}-${index}" name="alt" rows="2">${alt}</textarea>`
)}
${save}</details>`
}
