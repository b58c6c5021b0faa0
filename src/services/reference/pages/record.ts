import { html } from '../../../kernel/html.ts'
import type { Page } from '../../../kernel/page.ts'
import { RESOURCES, type TypeName } from '../contract.ts'
import { type Entry, nameOf, type Universe } from '../dataset/universe.ts'
import { otherRepresentations, showValue } from './links.ts'
import { labelOf } from './wording.ts'

export function recordPage(universe: Universe, type: TypeName, entry: Entry): Page {
  const { title, fields, search } = RESOURCES[type]
  const path = `/api/${type}/${entry.id}/`
  const shown = fields.filter(({ name, kind }) => name !== search[0] && kind !== 'url')
  return {
    title: nameOf(type, entry),
    crumbs: [
      { text: 'reference', href: '/' },
      { text: title, href: `/api/${type}/` },
      { text: nameOf(type, entry) }
    ],
    main: html`<img class="picture" src="${path}image.svg" alt="" width="144" height="144">
<dl>
${shown.map(
  (field) => html`<dt>${labelOf(field.name)}</dt>
<dd${field.name === 'opening_crawl' ? html` class="prose"` : ''}>${showValue(universe, field, entry)}</dd>
`
)}</dl>`,
    foot: otherRepresentations(path, type)
  }
}
