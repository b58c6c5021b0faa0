import { html, type Markup } from '../../../kernel/html.ts'
import { emptyState } from '../../../kernel/page-parts.ts'
import { RESOURCES, TYPES, type TypeName } from '../contract.ts'
import type { Universe } from '../dataset/universe.ts'
import type { Parameters } from '../query/parameters.ts'
import { select } from '../query/selection.ts'
import { urlWith } from './links.ts'
import { countOf } from './wording.ts'

/** What to do if a list has no records: change the request, or look at another type. */
export function emptyList(universe: Universe, type: TypeName, parameters: Parameters): Markup {
  const { size } = universe.types[type]
  const title = RESOURCES[type].title.toLowerCase()
  if (size === 0) {
    return emptyState(
      `This data set has no ${title}.`,
      html`<p><a href="/">The overview</a> lists what it has.</p>`
    )
  }
  const search = parameters.get('search')
  return emptyState(
    'No record matches.',
    html`${search !== undefined && elsewhere(universe, type, search)}<p>Search for a part of a name, remove a filter, or <a href="/api/${type}/">show all ${size} ${title}</a>.</p>`
  )
}

/** Lists of other types with records of that name. */
function elsewhere(universe: Universe, type: TypeName, search: string): Markup | false {
  const parameters = new Map([['search', search]])
  const found = TYPES.filter((other) => other !== type)
    .map((other) => ({ other, count: select(universe, other, parameters).count }))
    .filter(({ count }) => count > 0)
  if (found.length === 0) return false
  return html`<p>Other lists have records of that name:</p>
<ul class="links">${found.map(
    ({ other, count }) =>
      html`<li><a href="${urlWith(`/api/${other}/`, parameters, {})}">${RESOURCES[other].title}</a>: ${countOf(count)}</li>`
  )}</ul>`
}
