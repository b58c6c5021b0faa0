import { html, type Markup } from '../../../kernel/html.ts'
import type { Account, Post } from '../records/record.ts'
import { renderArticle } from './article.ts'
import { renderStatusPage, shownName } from './layout.ts'
import { createLinks, feedPath, type Links, monthPath, postPath, profilePath } from './links.ts'
import { mediaText } from './media.ts'
import { postHead, postTitle } from './metadata.ts'
import { countText, excerptOf, monthName, timeText } from './text.ts'
import type { PostView, Site } from './views.ts'

/** Posts of the thread before and after this one; of more only the first or last is linked. */
const MAX_THREAD = 10
/** Code points. */
const MAX_EXCERPT = 120

export function renderPost(view: PostView, site: Site): string {
  const { post, earlier, later } = view
  const links = createLinks(site)
  const continued = earlier.length > 0 ? 'Thread, continued' : 'Thread'
  return renderStatusPage(
    {
      title: postTitle(post),
      head: postHead(view, site, links),
      main: html`<h1 class="hidden">Post by ${shownName(post.account)}</h1>
${renderThread({ label: 'Thread', heading: 'Earlier in this thread', posts: nearestEarlier(earlier), total: earlier.length, links })}
${renderArticle(view, site, { role: 'main' })}
${renderThread({ label: continued, heading: 'Later in this thread', posts: nearestLater(later), total: later.length, links })}`,
      foot: renderFoot(post, links)
    },
    site
  )
}

/** The first post of a thread is always listed. */
function nearestEarlier(posts: readonly Post[]): readonly Post[] {
  return posts.length <= MAX_THREAD ? posts : [...posts.slice(0, 1), ...posts.slice(1 - MAX_THREAD)]
}

function nearestLater(posts: readonly Post[]): readonly Post[] {
  return posts.slice(0, MAX_THREAD)
}

interface ThreadPart {
  label: string
  heading: string
  posts: readonly Post[]
  /** Posts in this direction, of which `posts` are a part. */
  total: number
  links: Links
}

function renderThread({ label, heading, posts, total, links }: ThreadPart): Markup | false {
  if (posts.length === 0) return false
  const omitted = total - posts.length
  return html`<nav class="thread" aria-label="${label}">
<h2>${heading} <span class="soft">${countText(total, 'post')}</span></h2>
<ol>
${posts.map((post) => renderThreadItem(post, links))}
</ol>
${omitted > 0 && html`<p class="soft small">${countText(omitted, 'more post')}, which these lead to.</p>`}
</nav>`
}

function renderThreadItem(post: Post, links: Links): Markup {
  const { account, id, createdAt } = post
  const text = excerptOf(post.summary ?? post.text, MAX_EXCERPT) || mediaText(post.media)
  return html`<li><a href="${links.to(postPath(account.userName, id))}"><bdi>${text}</bdi></a>
<time class="soft" datetime="${createdAt}">${timeText(createdAt)}</time></li>
`
}

function renderFoot({ account, createdAt, source }: Post, links: Links): Markup {
  const month = createdAt.slice(0, '2026-03'.length)
  return html`${source.kind === 'sample' && 'Sample · '}${archiveLink(account, links)} · <a href="${links.to(monthPath(account.userName, month))}">${monthName(month)}</a> · <a href="${links.to(feedPath(account.userName, 'xml'))}">feed</a>`
}

export function archiveLink({ userName }: Account, links: Links): Markup {
  return html`Archive of <a href="${links.to(profilePath(userName))}">@${userName}</a>`
}
