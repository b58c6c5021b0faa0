import { readFileSync } from 'node:fs'
import { html, type Markup } from '../../../kernel/html.ts'
import { createPublicLayout } from '../../../kernel/public-page.ts'
import type { Account } from '../records/record.ts'
import { createLinks, feedPath, type Links, mediaPath, profilePath } from './links.ts'
import type { Site } from './views.ts'

const layout = createPublicLayout(readFileSync(new URL('./statuses.css', import.meta.url), 'utf8'))

/** Headers of all pages; the policy has the hash of their style sheet. */
export const STATUS_PAGE_HEADERS = layout.headers
/** Any site may show these in a frame. */
export const EMBED_PAGE_HEADERS = layout.frameHeaders
/** Path of the favicon; the policy of the pages does not allow data URLs. */
export const ICON_PATH = '/favicon.svg'

export interface StatusPage {
  title: string
  head?: Markup
  main: Markup
  foot?: Markup
  /** Wide pages have a second column. */
  className?: string
}

export function renderStatusPage(page: StatusPage, site: Site): string {
  return layout.render({
    title: page.title,
    theme: site.theme,
    icon: createLinks(site).file(ICON_PATH),
    head: html`${page.head}`,
    body: html`<main class="statuses ${page.className ?? ''}">
${page.main}
</main>
${page.foot !== undefined && html`<footer class="foot">${page.foot}</footer>`}`
  })
}

/** Feeds of an account, for the head of its pages. */
export function feedLinks({ userName, name }: Account, links: Links): Markup {
  const title = `${name} (@${userName})`
  return html`<link rel="alternate" type="application/rss+xml" title="${title}" href="${links.absolute(feedPath(userName, 'xml'))}">
<link rel="alternate" type="application/feed+json" title="${title}" href="${links.absolute(feedPath(userName, 'json'))}">`
}

/** The first letter stands for a missing picture. */
export function renderAvatar({ avatarHash, name, userName }: Account, links: Links): Markup {
  if (avatarHash === undefined) {
    const [letter = ''] = Array.from((name.trim() || userName).toLocaleUpperCase('en'))
    return html`<span class="avatar" aria-hidden="true">${letter}</span>`
  }
  const source = links.file(mediaPath(avatarHash))
  return html`<img class="avatar u-photo" src="${source}" width="48" height="48" alt="">`
}

/** Name and user name, which lead to the profile. */
export function renderAuthor(account: Account, links: Links): Markup {
  const target = links.to(profilePath(account.userName))
  return html`<div class="author p-author h-card">${renderAvatar(account, links)}<div><a class="p-name u-url" href="${target}"><bdi>${shownName(account)}</bdi></a>
<div class="soft p-nickname">@${account.userName}</div></div></div>`
}

/** An account may have no name. */
export function shownName({ name, userName }: Account): string {
  return name.trim() === '' ? userName : name
}
