import { html, type Markup } from '../../../kernel/html.ts'
import { type Field, RESOURCES, type TypeName } from '../contract.ts'
import type { Universe } from '../dataset/universe.ts'
import { type Parameters, splitList } from '../query/parameters.ts'
import { recordName, urlWith } from './links.ts'
import { labelOf, unitOf } from './wording.ts'

const WORDS: Readonly<Record<string, string>> = { gte: 'from', lte: 'to', contains: 'contains' }

interface ActiveFilter {
  readonly name: string
  readonly text: string
}

/** The search and the filters of a request, described for readers. */
export function activeFilters(
  universe: Universe,
  type: TypeName,
  parameters: Parameters
): ActiveFilter[] {
  return [...parameters].flatMap(([name, value]) => {
    if (name === 'search') return { name, text: `Search: ${value}` }
    const [fieldName, operator = 'is'] = name.split('__')
    const field = RESOURCES[type].fields.find((one) => one.name === fieldName)
    if (field === undefined || field.kind === 'url') return []
    return { name, text: `${labelOf(field.name)}${describe(universe, field, operator, value)}` }
  })
}

function describe(universe: Universe, field: Field, operator: string, value: string): string {
  const word = WORDS[operator]
  const values = operator === 'in' ? splitList(value) : [value]
  if ('to' in field)
    return `: ${values.map((one) => linkName(universe, field.to, one)).join(' or ')}`
  const unit = unitOf(field)
  const isBare = unit !== undefined && operator !== 'contains' && /^[\d.]+$/.test(value)
  const shown = isBare ? `${value} ${unit}` : values.join(' or ')
  return word === undefined ? `: ${shown}` : ` ${word} ${shown}`
}

/** Filters by link are ids, or URLs that end in one. */
function linkName(universe: Universe, to: TypeName, value: string): string {
  const id = /(\d+)\/?$/.exec(value)?.[1]
  return id === undefined ? value : recordName(universe, to, Number(id))
}

/** Each filter with a link that removes it. */
export function filterChips(
  path: string,
  parameters: Parameters,
  filters: readonly ActiveFilter[]
): Markup | false {
  if (filters.length === 0) return false
  const names = Object.fromEntries(filters.map(({ name }) => [name, undefined]))
  return html`<ul class="chips active">${filters.map(
    ({ name, text }) =>
      html`<li><a href="${urlWith(path, parameters, { [name]: undefined })}" aria-label="Remove the filter ${text}">${text} <b>×</b></a></li>`
  )}<li class="clear"><a href="${urlWith(path, parameters, names)}">Remove all</a></li></ul>`
}
