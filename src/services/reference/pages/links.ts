import { html, type Markup } from '../../../kernel/html.ts'
import type { Page } from '../../../kernel/page.ts'
import { address, methodBadge, time } from '../../../kernel/page-parts.ts'
import { type Field, RESOURCES, TYPES, type TypeName } from '../contract.ts'
import { type Entry, idsOf, nameOf, type Universe } from '../dataset/universe.ts'
import type { Parameters } from '../query/parameters.ts'
import { readable } from './wording.ts'

export function recordName({ types }: Universe, type: TypeName, id: number): string {
  const entry = types[type].get(id)
  return entry === undefined ? `${type} ${id}` : nameOf(type, entry)
}

/** The attribute for those classes that apply, if any does. */
export function classOf(...names: readonly (string | false)[]): Markup | false {
  const applied = names.filter((name) => name !== false)
  return applied.length > 0 && html` class="${applied.join(' ')}"`
}

export function linkTo(universe: Universe, type: TypeName, id: number): Markup {
  return html`<a href="/api/${type}/${id}/">${recordName(universe, type, id)}</a>`
}

/** The drawing of a record; it repeats what is next to it, so it has no text of its own. */
export function thumbnail(type: TypeName, id: number, size = 40): Markup {
  return html`<img class="thumb" src="/api/${type}/${id}/image.svg" alt="" width="${size}" height="${size}" loading="lazy">`
}

const MAX_LINKS_IN_CELL = 3

/** A field's value on a page; linked records are shown by name. */
export function showValue(universe: Universe, field: Field, { values }: Entry): Markup {
  const value = values[field.name]
  if (field.kind === 'time') return time(String(value))
  if (!('to' in field)) return html`${readable(field, value)}`
  const ids = idsOf(value)
  if (ids.length === 0) return html`<span class="soft">none</span>`
  const items = ids.slice(0, MAX_LINKS_IN_CELL).map((id) => linkTo(universe, field.to, id))
  if (items.length === 1) return html`${items}`
  const more = ids.length - items.length
  return html`<ul>${items.map((item) => html`<li>${item}</li>`)}${more > 0 && html`<li class="soft">and ${more} more</li>`}</ul>`
}

/** The start page and the six lists; the type of a record is current too. */
export function typeTabs(current?: TypeName): NonNullable<Page['tabs']> {
  return [
    { text: 'Overview', href: '/', current: current === undefined },
    ...TYPES.map((type) => ({
      text: RESOURCES[type].title,
      href: `/api/${type}/`,
      current: type === current
    }))
  ]
}

/** The URL with changed parameters; undefined removes one. Another list starts at its first page. */
export function urlWith(
  path: string,
  parameters: Parameters,
  changes: Readonly<Record<string, string | undefined>>
): string {
  const changed = new URLSearchParams([...parameters])
  for (const [name, value] of Object.entries({ page: undefined, ...changes })) {
    if (value === undefined) changed.delete(name)
    else changed.set(name, value)
  }
  // A comma may stand in a query, and lists of names are easier to read with it.
  return changed.size === 0 ? path : `${path}?${String(changed).replaceAll('%2C', ',')}`
}

/** The URL by which a program gets the same content as JSON. */
export function dataUrl(path: string, parameters: Parameters): string {
  const kept = { page: parameters.get('page'), format: undefined, accept: undefined }
  return urlWith(path, parameters, kept)
}

/** Method and URL of the request that returns what the page shows. */
export function requestOf(base: string, path: string, parameters: Parameters): Markup {
  return html`<div class="request">${methodBadge('GET')}${address(base + dataUrl(path, parameters))}</div>`
}

/** Links to other representations of the same URL. */
export function otherRepresentations(
  path: string,
  parameters: Parameters,
  type?: TypeName
): Markup {
  const page = parameters.get('page')
  const inFormat = (format: string) =>
    urlWith(path, parameters, { page, format, accept: undefined })
  const schema = type === undefined ? '' : html` · <a href="/api/${type}/schema">schema</a>`
  return html`<p>As data: <a href="${inFormat('json')}">JSON</a> ·
<a href="${inFormat('wookiee')}">Wookiee</a>${schema}</p>`
}
