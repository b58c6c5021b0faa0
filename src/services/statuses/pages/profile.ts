import { html, type Markup } from '../../../kernel/html.ts'
import type { Account } from '../records/record.ts'
import { feedLinks, renderAvatar, renderStatusPage, shownName } from './layout.ts'
import { createLinks, feedPath, type Links, mediaPath, monthPath, profilePath } from './links.ts'
import { renderItems, renderMonths, renderSearchForm } from './lists.ts'
import { authorTitle, avatarProperties, jsonLd, personData, property } from './metadata.ts'
import { countText, excerptOf, isolate, monthName, safeUrl } from './text.ts'
import type { ProfileView, Site } from './views.ts'

const MAX_DESCRIPTION = 300

export function renderProfile(view: ProfileView, site: Site): string {
  const { account, items, months } = view
  const links = createLinks(site)
  const lastShown = items.at(-1)?.post.createdAt.slice(0, '2026-03'.length)
  return renderStatusPage(
    {
      title: authorTitle(account),
      head: profileHead(view, site, links),
      main: html`<div class="h-feed">${renderProfileHeader(view, links)}
${isSample(view) && SAMPLE_NOTE}
${renderSearchForm(site, links)}
${renderItems(items, site, 'feed')}
</div>
${
  lastShown !== undefined &&
  view.total > items.length &&
  html`<p class="more"><a href="${links.to(monthPath(account.userName, lastShown))}">More posts of ${monthName(lastShown)}</a></p>`
}
${renderMonths(account, months, links)}`,
      foot: renderFoot(account, links)
    },
    site
  )
}

function isSample({ items }: ProfileView): boolean {
  return items.some(({ post }) => post.source.kind === 'sample')
}

const SAMPLE_NOTE = html`<div class="note"><p>This is a sample. Import your own archive from X or Mastodon, and the sample is removed:</p>
<pre tabindex="0"><code>nonet import statuses archive.zip</code></pre>
<p class="small">To remove only the sample: <code>nonet reset statuses --sample</code></p></div>`

function profileHead({ account, total }: ProfileView, site: Site, links: Links): Markup {
  const url = links.absolute(profilePath(account.userName))
  const about = excerptOf(account.bio, MAX_DESCRIPTION) || countText(total, 'post')
  return html`<link rel="canonical" href="${url}">
${feedLinks(account, links)}
<meta name="description" content="${about}">
${property('og:site_name', site.name)}
${property('og:type', 'profile')}
${property('og:title', authorTitle(account))}
${property('og:description', about)}
${property('og:url', url)}
${property('profile:username', account.userName)}
${avatarProperties(account, links)}
<meta name="twitter:card" content="summary">
${jsonLd({
  '@context': 'https://schema.org',
  '@type': 'ProfilePage',
  url,
  mainEntity: { ...personData(account, links), description: account.bio }
})}`
}

function renderProfileHeader({ account, total, months }: ProfileView, links: Links): Markup {
  const { headerHash, bio, location, website, userName } = account
  const first = months.at(-1)?.month
  const since = first === undefined ? '' : ` since ${monthName(first)}`
  return html`<header class="profile p-author h-card">
${
  headerHash !== undefined &&
  html`<img class="banner" src="${links.file(mediaPath(headerHash))}" width="1500" height="500" alt="">`
}
<div class="titled">${renderAvatar(account, links)}<div><h1><a class="p-name u-url u-uid" href="${links.to(profilePath(userName))}"><bdi>${shownName(account)}</bdi></a></h1>
<div class="soft p-nickname">@${userName}</div></div></div>
${bio !== '' && html`<p class="bio p-note" dir="auto">${isolate(bio)}</p>`}
<p class="facts soft">
${location !== undefined && location !== '' && html`<span class="p-locality"><bdi>${location}</bdi></span>`}
${renderWebsite(website)}
<span>${countText(total, 'post')}${since}</span>
</p>
</header>`
}

function renderWebsite(website: string | undefined): Markup | false {
  const url = safeUrl(website)
  if (url === undefined) return false
  const shown = url.replace(/^https?:\/\/(?:www\.)?/, '').replace(/\/$/, '')
  return html`<a class="u-url" href="${url}" rel="me nofollow noopener">${excerptOf(shown, 60)}</a>`
}

function renderFoot({ userName }: Account, links: Links): Markup {
  return html`Archive of @${userName} · <a href="${links.to(feedPath(userName, 'xml'))}">RSS feed</a> · <a href="${links.to(feedPath(userName, 'json'))}">JSON feed</a>`
}
