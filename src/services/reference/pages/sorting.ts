import { html, type Markup } from '../../../kernel/html.ts'
import { type Field, RESOURCES, type TypeName } from '../contract.ts'
import { isSortable } from '../query/ordering.ts'
import { type Parameters, splitList } from '../query/parameters.ts'
import { classOf, urlWith } from './links.ts'
import { isNumber, labelOf } from './wording.ts'

export function sortableFields(type: TypeName): readonly Field[] {
  return RESOURCES[type].fields.filter(isSortable)
}

/** The order of the list as `ordering` writes it, from either syntax: `['name', '-height']`. */
export function orderingOf(parameters: Parameters): readonly string[] {
  const ordering = splitList(parameters.get('ordering'))
  if (ordering.length > 0) return ordering
  return splitList(parameters.get('sort')).map((part) => {
    const [name = '', direction] = part.split(':')
    return direction === 'desc' ? `-${name}` : name
  })
}

/** `name,-height` → `Name, then height (descending)`. */
export function orderingText(ordering: string): string {
  const texts = ordering.split(',').map((part) => {
    const text = part.replace(/^-/, '').replaceAll('_', ' ')
    return part.startsWith('-') ? `${text} (descending)` : text
  })
  return labelOf(texts.join(', then '))
}

/** The head of a column; a link that sorts by it, in the other direction if it is sorted already. */
export function columnHead(
  path: string,
  parameters: Parameters,
  field: Field,
  className: 'extra' | false
): Markup {
  const classes = classOf(className, isNumber(field) && 'number')
  const label = labelOf(field.name)
  if (!isSortable(field)) return html`<th scope="col"${classes}>${label}</th>`
  const [first] = orderingOf(parameters)
  const isAscending = first === field.name
  const sorted = isAscending ? 'ascending' : first === `-${field.name}` && 'descending'
  const ordering = isAscending ? `-${field.name}` : field.name
  const href = urlWith(path, parameters, { ordering, sort: undefined })
  return html`<th scope="col"${classes}${sorted && html` aria-sort="${sorted}"`}><a class="sort" href="${href}">${label}</a></th>`
}
