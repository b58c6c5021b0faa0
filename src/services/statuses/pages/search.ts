import { html, type Markup } from '../../../kernel/html.ts'
import { renderStatusPage } from './layout.ts'
import { createLinks } from './links.ts'
import { renderItems, renderPager, renderSearchForm, SEARCH_PATH } from './lists.ts'
import { excerptOf } from './text.ts'
import type { SearchView, Site } from './views.ts'

const MAX_TITLE_QUERY = 50

export function renderSearch(view: SearchView, site: Site): string {
  const links = createLinks(site)
  const { query, older, isFirstPage } = view
  const title = query === undefined ? 'Search' : `Search: ${excerptOf(query, MAX_TITLE_QUERY)}`
  const target = { ...(query !== undefined && { q: query }) }
  return renderStatusPage(
    {
      title: `${title} · ${site.name}`,
      head: html`<meta name="robots" content="noindex">`,
      main: html`<header class="profile"><h1>Search</h1></header>
${renderSearchForm(site, links, query)}
${renderResult(view, site)}
${renderPager({
  newest: isFirstPage ? undefined : { href: links.to(SEARCH_PATH, target), text: 'Newest results' },
  older:
    older === undefined
      ? undefined
      : { href: links.to(SEARCH_PATH, { ...target, before: older }), text: 'Older results' }
})}`,
      foot: html`<a href="${links.to('/')}">${site.name}</a>`
    },
    site
  )
}

function renderResult({ query, problem, items }: SearchView, site: Site): Markup {
  if (problem !== undefined) return html`<p class="note" role="alert">${problem}</p>`
  if (query === undefined) return HELP
  if (items.length === 0) {
    return html`<p class="note">No post has all of this. Use fewer words, or check their spelling.</p>`
  }
  return html`<p class="soft small">Newest first</p>
${renderItems(items, site, 'list')}`
}

const EXAMPLES = [
  ['garden moon', 'both words, in any order'],
  ['"full moon"', 'these words next to each other'],
  ['moon -full', 'without a word'],
  ['from:ada', 'of one author'],
  ['since:2024-03', 'from this year, month or day on'],
  ['until:2024-05-20', 'up to this year, month or day'],
  ['has:media', 'with pictures or videos; also has:images, has:video, has:links']
] as const

const HELP = html`<section class="guide"><h2>What you can write</h2>
<dl>${EXAMPLES.map(
  ([example, meaning]) => html`<dt><code>${example}</code></dt><dd>${meaning}</dd>
`
)}</dl></section>`
