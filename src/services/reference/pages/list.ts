import { html, type Markup } from '../../../kernel/html.ts'
import type { Page } from '../../../kernel/page.ts'
import { emptyState } from '../../../kernel/page-parts.ts'
import { type Field, RESOURCES, type TypeName } from '../contract.ts'
import type { Entry, Universe } from '../dataset/universe.ts'
import { pageQuery } from '../query/paging.ts'
import { linkTo, otherRepresentations, showValue, typeLinks } from './links.ts'
import { COLUMNS, labelOf } from './wording.ts'

interface Listed {
  readonly entries: readonly Entry[]
  /** This and the following properties are set only for lists with search and pages. */
  readonly count?: number
  readonly page?: number
  readonly pages?: number
  readonly query?: string
  readonly search?: string | undefined
}

export function listPage(universe: Universe, type: TypeName, listed: Listed): Page {
  const { title } = RESOURCES[type]
  const path = `/api/${type}/`
  return {
    title,
    crumbs: [{ text: 'reference', href: '/' }, { text: title }],
    main: html`${typeLinks()}
${listed.count === undefined ? '' : searchForm(path, listed.count, listed.search)}
${listed.entries.length === 0 ? none(path) : table(universe, type, listed.entries)}
${turnOver(listed)}`,
    foot: otherRepresentations(path, type)
  }
}

function searchForm(path: string, count: number, search: string | undefined): Markup {
  const found = search === undefined ? '' : html` found for “${search}”`
  return html`<form action="${path}" role="search">
<label>Search <input type="search" name="search" value="${search}"></label>
<button>Search</button>
</form>
<p class="soft">${count} ${count === 1 ? 'record' : 'records'}${found}</p>`
}

function none(path: string): Markup {
  return emptyState(
    'No record matches.',
    html`<p>Search for a part of a name, or <a href="${path}">show all records</a>.</p>`
  )
}

function table(universe: Universe, type: TypeName, entries: readonly Entry[]): Markup {
  const { fields, search } = RESOURCES[type]
  const columns = fields.filter(({ name }) => COLUMNS[type].includes(name))
  return html`<div class="wide" tabindex="0" role="region" aria-label="${RESOURCES[type].title}"><table>
<thead><tr><th scope="col">${labelOf(search[0])}</th>${columns.map(
    ({ name }) => html`<th scope="col">${labelOf(name)}</th>`
  )}</tr></thead>
<tbody>
${entries.map((entry) => row(universe, type, entry, columns))}</tbody>
</table></div>`
}

function row(universe: Universe, type: TypeName, entry: Entry, columns: readonly Field[]): Markup {
  return html`<tr><th scope="row">${linkTo(universe, type, entry.id)}</th>${columns.map(
    (field) => html`<td>${showValue(universe, field, entry)}</td>`
  )}</tr>
`
}

function turnOver({ page = 1, pages = 1, query = '' }: Listed): Markup | '' {
  if (pages === 1) return ''
  const previous = html`<a rel="prev" href="${pageQuery(query, page - 1)}">Previous page</a>`
  const next = html`<a rel="next" href="${pageQuery(query, page + 1)}">Next page</a>`
  return html`<nav class="pages" aria-label="Pages">${page > 1 && previous}
<span class="soft">Page ${page} of ${pages}</span>
${page < pages && next}</nav>`
}
