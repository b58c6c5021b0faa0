import { html, type Markup } from '../../../kernel/html.ts'
import type { Account } from '../records/record.ts'
import { renderArticle } from './article.ts'
import { type Links, monthPath } from './links.ts'
import { countText, monthName } from './text.ts'
import type { MonthCount, PostItem, Site } from './views.ts'

export const SEARCH_PATH = '/search'

export function renderItems(items: readonly PostItem[], site: Site, role: 'list' | 'feed'): Markup {
  return html`${items.map((item) => renderArticle(item, site, { role }))}`
}

/** All months with posts: a line for each year. */
export function renderMonths(
  { userName }: Account,
  months: readonly MonthCount[],
  links: Links,
  current?: string
): Markup | false {
  if (months.length === 0) return false
  const years = [...Map.groupBy(months, ({ month }) => month.slice(0, '2026'.length))]
  const link = ({ month, posts }: MonthCount) => {
    const count = countText(posts, 'post').split(' ')
    const rest = html`<span class="hidden"> ${count.at(-1)} in ${month.slice(0, '2026'.length)}</span>`
    return html`<li><a href="${links.to(monthPath(userName, month))}"${month === current && html` aria-current="page"`}>${monthName(month).slice(0, 3)} <small>${count[0]}${rest}</small></a></li>`
  }
  return html`<nav class="months" aria-label="Months">
<h2>All posts by month</h2>
<dl>${years.map(
    ([year, list]) => html`<dt>${year}</dt><dd><ul>${list.toReversed().map(link)}</ul></dd>
`
  )}</dl>
</nav>`
}

/** Works without a script; the theme of the page stays. */
export function renderSearchForm(site: Site, links: Links, query = ''): Markup | false {
  if (links.isStatic) return false
  return html`<form class="search" role="search" action="${links.file(SEARCH_PATH)}">
<input type="search" name="q" value="${query}" aria-label="Search posts" placeholder="Search posts" maxlength="500" required>
${site.theme !== undefined && html`<input type="hidden" name="theme" value="${site.theme}">`}
<button>Search</button>
</form>`
}

export interface Pager {
  newest: { href: string; text: string } | undefined
  older: { href: string; text: string } | undefined
}

export function renderPager({ newest, older }: Pager): Markup | false {
  if (newest === undefined && older === undefined) return false
  return html`<nav class="pager" aria-label="Pages">
${newest !== undefined && html`<a href="${newest.href}">${newest.text}</a>`}
${older !== undefined && html`<a class="older" href="${older.href}" rel="next">${older.text}</a>`}
</nav>`
}
