import { html, type Markup } from '../../../kernel/html.ts'
import { type Field, RESOURCES, type TypeName } from '../contract.ts'
import { type Entry, idsOf, type Universe } from '../dataset/universe.ts'
import { recordName, thumbnail } from './links.ts'
import { labelOf } from './wording.ts'

type Links = Extract<Field, { kind: 'links' }>

/** The others are in the list of all, which has pages. */
const MAX_SHOWN = 40

/** A section for each field of links, and one line for those without links. */
export function linkedRecords(universe: Universe, type: TypeName, entry: Entry): Markup {
  const fields = RESOURCES[type].fields.filter((field) => field.kind === 'links')
  const isEmpty = ({ name }: Links) => idsOf(entry.values[name]).length === 0
  const missing = fields.filter(isEmpty).map(({ name }) => name)
  return html`${fields
    .filter((field) => !isEmpty(field))
    .map((field) => section(universe, type, entry, field))}
${missing.length > 0 && html`<p class="soft">None: ${missing.join(', ')}.</p>`}`
}

function section(universe: Universe, type: TypeName, entry: Entry, field: Links): Markup {
  const ids = idsOf(entry.values[field.name])
  const label = labelOf(field.name)
  const href = listOf(type, entry.id, field)
  const more = ids.length - MAX_SHOWN
  return html`<section class="linked"><h2>${label} <small>${ids.length}</small>${ids.length > 1 && html` <a href="${href}" aria-label="${label} as a list">as a list</a>`}</h2>
<ul>${ids.slice(0, MAX_SHOWN).map((id) => item(universe, field.to, id))}${more > 0 && html`<li><a href="${href}">and ${more} more</a></li>`}</ul></section>
`
}

function item(universe: Universe, to: TypeName, id: number): Markup {
  return html`<li><a class="pictured quietly" href="/api/${to}/${id}/">${thumbnail(to, id)}${recordName(universe, to, id)}</a></li>
`
}

/** The list of the linked records: they refer back to this one by the other side of the relation. */
function listOf(type: TypeName, id: number, { name, to, mirrors }: Links): string {
  const back = RESOURCES[to].fields.find(
    (field) =>
      'to' in field &&
      field.to === type &&
      (field.name === mirrors || (field.kind === 'links' && field.mirrors === name))
  )
  return back === undefined ? `/api/${to}/` : `/api/${to}/?${back.name}=${id}`
}
