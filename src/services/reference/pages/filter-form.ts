import { html, type Markup } from '../../../kernel/html.ts'
import { type Field, RESOURCES, type TypeName } from '../contract.ts'
import type { Universe } from '../dataset/universe.ts'
import { leadingNumber } from '../dataset/words.ts'
import type { Parameters } from '../query/parameters.ts'
import { type FieldFilter, type FilterControl, filtersOf } from './filter-controls.ts'
import { orderingOf, orderingText, sortableFields } from './sorting.ts'
import { isNumber, labelOf, MAIN_FILTERS } from './wording.ts'

/** Search, order and filters of a list: a form whose fields are the parameters of the API. */
export function filterForm(universe: Universe, type: TypeName, parameters: Parameters): Markup {
  const filters = filtersOf(universe, type)
  const main = MAIN_FILTERS[type]
  const isMain = ({ field }: FieldFilter) => main.includes(field.name)
  const mainFilters = main.flatMap((name) => filters.filter(({ field }) => field.name === name))
  const show = (filter: FieldFilter) => showFilter(filter, parameters, universe)
  return html`<form id="filters" class="filters" action="/api/${type}/" role="search">
<label class="search">Search <input type="search" name="search" value="${parameters.get('search')}" placeholder="${searched(type)}"></label>
${sortControl(type, parameters)}
${mainFilters.map(show)}
<button>Show</button>
<details><summary>More filters</summary><div>
${filters.filter((filter) => !isMain(filter)).map(show)}</div></details>
${otherParameters(filters, parameters)}</form>`
}

function searched(type: TypeName): string {
  return `A part of the ${RESOURCES[type].search.join(' or ')}`
}

function sortControl(type: TypeName, parameters: Parameters): Markup {
  const current = orderingOf(parameters).join(',')
  const options = sortableFields(type).flatMap((field) => [
    { value: field.name, text: orderText(field, 'ascending') },
    { value: `-${field.name}`, text: orderText(field, 'descending') }
  ])
  const isListed = current === '' || options.some(({ value }) => value === current)
  return html`<label>Sort by <select name="ordering">${option('', 'Id', current)}${options.map(
    ({ value, text }) => option(value, text, current)
  )}${!isListed && option(current, orderingText(current), current)}</select></label>
`
}

function orderText(field: Field, direction: 'ascending' | 'descending'): string {
  const [ascending, descending] = directionsOf(field)
  return `${labelOf(field.name)}, ${direction === 'ascending' ? ascending : descending}`
}

function directionsOf(field: Field): readonly [string, string] {
  const isTime = field.kind === 'date' || field.kind === 'time' || field.name === 'birth_year'
  if (isTime) return ['earliest first', 'latest first']
  return isNumber(field) ? ['lowest first', 'highest first'] : ['A to Z', 'Z to A']
}

function option(value: string, text: string, current: string): Markup {
  return html`<option value="${value}"${value === current && html` selected`}>${text}`
}

function showFilter({ controls }: FieldFilter, parameters: Parameters, universe: Universe): Markup {
  const shown = controls.map((control) => showControl(control, parameters, universe))
  return controls.length === 1
    ? html`${shown}`
    : html`<div class="range">${shown}</div>
`
}

function showControl(
  { name, label, shortLabel, input, choices }: FilterControl,
  parameters: Parameters,
  { era }: Universe
): Markup {
  const value = parameters.get(name) ?? ''
  if (input === 'choice') return choiceControl(name, label, choices ?? [], value)
  const rules = {
    text: html``,
    date: html` type="date"`,
    id: html` inputmode="numeric" pattern="[0-9]+" title="The number of a record, such as 1" size="6"`,
    number: html` inputmode="decimal" pattern="[0-9]+([.][0-9]+)?" title="A number, such as 180" size="6"`,
    year: html` pattern="[0-9.]+(${era.before}|${era.after})" title="A year with its era, such as 17${era.before}" placeholder="17${era.before}" size="6"`
  }[input]
  const shown = input === 'number' ? (leadingNumber(value) ?? value) : value
  return html`<label>${shortLabel ?? label} <input${shortLabel !== undefined && html` aria-label="${label}"`} name="${name}" value="${shown}"${rules}></label>
`
}

/** A value that no record has stays selected, because it is a filter too. */
function choiceControl(
  name: string,
  label: string,
  choices: NonNullable<FilterControl['choices']>,
  value: string
): Markup {
  const wanted = (/\/(\d+)\/?$/.exec(value)?.[1] ?? value).toLowerCase()
  const found = choices.find((choice) => choice.value.toLowerCase() === wanted)
  const current = found?.value ?? value
  return html`<label>${label} <select name="${name}">${option('', 'any', current)}${choices.map(
    (choice) => option(choice.value, choice.text, current)
  )}${current !== '' && found === undefined && option(current, current, current)}</select></label>
`
}

/** Parameters that have no control are kept, except the page and the other syntax of the order. */
function otherParameters(filters: readonly FieldFilter[], parameters: Parameters): Markup[] {
  const shown = new Set(['search', 'ordering', 'sort', 'page'])
  for (const { controls } of filters) for (const { name } of controls) shown.add(name)
  return [...parameters]
    .filter(([name]) => !shown.has(name))
    .map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
}
