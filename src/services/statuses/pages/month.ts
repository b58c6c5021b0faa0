import { html, type Markup } from '../../../kernel/html.ts'
import { feedLinks, renderAuthor, renderStatusPage } from './layout.ts'
import { createLinks, feedPath, type Links, monthPath } from './links.ts'
import { renderItems, renderMonths, renderPager } from './lists.ts'
import { authorTitle, property } from './metadata.ts'
import { archiveLink } from './post.ts'
import { countText, monthName } from './text.ts'
import type { MonthView, Site } from './views.ts'

export function renderMonth(view: MonthView, site: Site): string {
  const { account, month, items, months, older, isFirstPage } = view
  const links = createLinks(site)
  const path = monthPath(account.userName, month)
  const title = `${authorTitle(account)}: ${monthName(month)}`
  const total = months.find((counted) => counted.month === month)?.posts ?? items.length
  return renderStatusPage(
    {
      title,
      head: html`<link rel="canonical" href="${links.absolute(path)}">
${feedLinks(account, links)}
<meta name="description" content="${countText(total, 'post')} of ${monthName(month)}">
${property('og:site_name', site.name)}
${property('og:type', 'website')}
${property('og:title', title)}
${property('og:url', links.absolute(path))}`,
      main: html`<div class="h-feed"><header class="profile">
${renderAuthor(account, links)}
<h1 class="p-name">${monthName(month)}</h1>
<p class="facts soft">${countText(total, 'post')}, newest first</p>
</header>
${renderNeighbours(view, links)}
${renderItems(items, site, 'feed')}
</div>
${renderPager({
  newest: isFirstPage ? undefined : { href: links.to(path), text: `Newest of ${monthName(month)}` },
  older:
    older === undefined
      ? undefined
      : { href: links.to(path, { before: older }), text: `Older posts of ${monthName(month)}` }
})}
${renderMonths(account, months, links, month)}`,
      foot: html`${archiveLink(account, links)} · <a href="${links.to(feedPath(account.userName, 'xml'))}">feed</a>`
    },
    site
  )
}

/** The months with posts before and after this one. */
function renderNeighbours({ account, month, months }: MonthView, links: Links): Markup | false {
  const newer = months.findLast((counted) => counted.month > month)?.month
  const older = months.find((counted) => counted.month < month)?.month
  if (newer === undefined && older === undefined) return false
  const link = (target: string, relation: 'prev' | 'next') =>
    html`<a class="${relation === 'next' ? 'older' : ''}" rel="${relation}" href="${links.to(monthPath(account.userName, target))}">${relation === 'prev' && '← '}${monthName(target)}${relation === 'next' && ' →'}</a>`
  return html`<nav class="pager" aria-label="Newer and older months">
${newer !== undefined && link(newer, 'prev')}
${older !== undefined && link(older, 'next')}
</nav>`
}
