import { html, type Markup } from '../../../kernel/html.ts'
import { type Field, RESOURCES, type TypeName } from '../contract.ts'
import { type Entry, nameOf, type Universe } from '../dataset/universe.ts'
import type { Parameters } from '../query/parameters.ts'
import { classOf, showValue, thumbnail } from './links.ts'
import { columnHead, orderingOf } from './sorting.ts'
import { COLUMNS, isNumber, labelOf, PHONE_COLUMNS, unitOf } from './wording.ts'

export const MAX_ROWS = 100

interface Column {
  readonly field: Field
  /** Columns of which a phone has no space. */
  readonly isExtra: boolean
}

/** On a phone each record is a block with its name and the values that matter most. */
export function recordTable(
  universe: Universe,
  type: TypeName,
  entries: readonly Entry[],
  parameters: Parameters
): Markup {
  const { title, fields, search } = RESOURCES[type]
  const path = `/api/${type}/`
  const columns = columnsOf(type, parameters)
  const names = fields.filter(({ name }) => name === search[0])
  return html`<div class="wide" tabindex="0" role="region" aria-label="${title}"><table class="list">
<thead><tr>${names.map((field) => columnHead(path, parameters, field, false))}${columns.map(
    ({ field, isExtra }) => columnHead(path, parameters, field, isExtra && 'extra')
  )}</tr></thead>
<tbody>
${entries.slice(0, MAX_ROWS).map((entry) => row(universe, type, entry, columns))}</tbody>
</table></div>`
}

/** A list that is sorted by a field shows that field, on a phone too. */
function columnsOf(type: TypeName, parameters: Parameters): Column[] {
  const { fields, search } = RESOURCES[type]
  const sorted = orderingOf(parameters)
    .map((name) => name.replace(/^-/, ''))
    .filter((name) => name !== search[0])
  const names = new Set([...COLUMNS[type], ...sorted])
  return [...names].flatMap((name, index) => {
    const field = fields.find((one) => one.name === name)
    const isExtra = index >= PHONE_COLUMNS && !sorted.includes(name)
    return field === undefined ? [] : { field, isExtra }
  })
}

function row(universe: Universe, type: TypeName, entry: Entry, columns: readonly Column[]): Markup {
  return html`<tr><th scope="row"><a class="pictured" href="/api/${type}/${entry.id}/">${thumbnail(type, entry.id)}${nameOf(type, entry)}</a></th>${columns.map(
    (column) => cell(universe, entry, column)
  )}</tr>
`
}

function cell(universe: Universe, entry: Entry, { field, isExtra }: Column): Markup {
  const classes = classOf(isExtra && 'extra', isNumber(field) && 'number')
  // A phone shows no heads of columns, and a number says nothing without its name or unit.
  const isBare = isNumber(field) && unitOf(field) === undefined
  const noun = isBare && html`<span class="noun">${labelOf(field.name)} </span>`
  return html`<td${classes}>${noun}${showValue(universe, field, entry)}</td>`
}
