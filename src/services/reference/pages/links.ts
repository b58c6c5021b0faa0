import { html, type Markup } from '../../../kernel/html.ts'
import { time } from '../../../kernel/page-parts.ts'
import { type Field, RESOURCES, TYPES, type TypeName } from '../contract.ts'
import { type Entry, idsOf, nameOf, type Universe } from '../dataset/universe.ts'
import { readable } from './wording.ts'

export function linkTo({ types }: Universe, type: TypeName, id: number): Markup {
  const entry = types[type].get(id)
  const name = entry === undefined ? `${type} ${id}` : nameOf(type, entry)
  return html`<a href="/api/${type}/${id}/">${name}</a>`
}

/** A field's value on a page; linked records are shown by name. */
export function showValue(universe: Universe, field: Field, { values }: Entry): Markup {
  const value = values[field.name]
  if (field.kind === 'time') return time(String(value))
  if (!('to' in field)) return html`${readable(field, value)}`
  const items = idsOf(value).map((id) => linkTo(universe, field.to, id))
  if (items.length === 0) return html`<span class="soft">none</span>`
  if (items.length === 1) return html`${items}`
  return html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`
}

export function typeLinks(): Markup {
  return html`<p class="pages">${TYPES.map(
    (type) => html`<a href="/api/${type}/">${RESOURCES[type].title}</a> `
  )}</p>`
}

/** Links to other representations of the same URL. */
export function otherRepresentations(path: string, type?: TypeName): Markup {
  const schema = type === undefined ? '' : html` · <a href="/api/${type}/schema">schema</a>`
  return html`<p>As data: <a href="${path}?format=json">JSON</a> ·
<a href="${path}?format=wookiee">Wookiee</a>${schema}</p>`
}
