import { html, type Markup } from '../../../kernel/html.ts'
import type { Page } from '../../../kernel/page.ts'
import { RESOURCES, type TypeName } from '../contract.ts'
import type { Entry, Universe } from '../dataset/universe.ts'
import { pageQuery } from '../query/paging.ts'
import { NO_PARAMETERS, type Parameters } from '../query/parameters.ts'
import type { Selection } from '../query/selection.ts'
import { activeFilters, filterChips } from './active-filters.ts'
import { emptyList } from './empty-list.ts'
import { filterForm } from './filter-form.ts'
import { dataUrl, otherRepresentations, requestOf, typeTabs } from './links.ts'
import { MAX_ROWS, recordTable } from './record-table.ts'
import { referenceStyle } from './style.ts'
import { countOf } from './wording.ts'

interface ListRequest {
  readonly base: string
  readonly query: string
  readonly parameters: Parameters
}

/** A list with search, order and filters; the script shows the result while they are changed. */
export function listPage(
  universe: Universe,
  type: TypeName,
  { base, query, parameters }: ListRequest,
  selection: Selection
): Page {
  const path = `/api/${type}/`
  const { entries, count } = selection
  const filters = activeFilters(universe, type, parameters)
  return {
    ...frameOf(type),
    script: '/assets/live-list.js',
    main: html`${filterForm(universe, type, parameters)}
<p id="count" class="soft" role="status">${countOf(count)}${filters.length > 0 && ` of ${universe.types[type].size.toLocaleString('en')}`}</p>
<div id="results">
${filterChips(path, parameters, filters)}
${requestOf(base, path, parameters)}
${entries.length === 0 ? emptyList(universe, type, parameters) : recordTable(universe, type, entries, parameters)}
${entries.length > MAX_ROWS && omitted(path, parameters, entries)}
${turnOver(selection, query)}
</div>`,
    foot: otherRepresentations(path, parameters, type)
  }
}

/** Records that were requested by several ids. */
export function severalPage(
  universe: Universe,
  type: TypeName,
  { base, parameters }: ListRequest,
  entries: readonly Entry[]
): Page {
  const path = `/api/${type}/${entries.map(({ id }) => id).join(',')}/`
  return {
    ...frameOf(type),
    main: html`<p class="soft">${countOf(entries.length)}, in the requested order</p>
${requestOf(base, path, parameters)}
${recordTable(universe, type, entries, NO_PARAMETERS)}`,
    foot: otherRepresentations(path, parameters, type)
  }
}

function frameOf(type: TypeName): Pick<Page, 'title' | 'crumbs' | 'tabs' | 'style'> {
  const { title } = RESOURCES[type]
  return {
    title,
    crumbs: [{ text: 'reference', href: '/' }, { text: title }],
    tabs: typeTabs(type),
    style: referenceStyle()
  }
}

/** A page of the API may have 500 records, which would be too much for a page of HTML. */
function omitted(path: string, parameters: Parameters, entries: readonly Entry[]): Markup {
  return html`<p class="note">The first ${MAX_ROWS} of ${entries.length} records of this page are shown; <a href="${dataUrl(path, parameters)}">the JSON</a> has all of them.</p>`
}

function turnOver({ page, pages }: Selection, query: string): Markup | '' {
  if (pages === 1) return ''
  const previous = html`<a rel="prev" href="${pageQuery(query, page - 1)}">Previous page</a>`
  const next = html`<a rel="next" href="${pageQuery(query, page + 1)}">Next page</a>`
  return html`<nav class="pages" aria-label="Pages of the list">${page > 1 && previous}
<span class="soft">Page ${page} of ${pages}</span>
${page < pages && next}</nav>`
}
