import { html, type Markup } from '../../../kernel/html.ts'
import type { Page } from '../../../kernel/page.ts'
import { codeTabs } from '../../../kernel/page-parts.ts'
import { type Field, RESOURCES, type TypeName } from '../contract.ts'
import { type Entry, nameOf, type Universe } from '../dataset/universe.ts'
import type { Parameters } from '../query/parameters.ts'
import { cutJson } from './cut-json.ts'
import { linkedRecords } from './linked-records.ts'
import { dataUrl, otherRepresentations, requestOf, showValue, typeTabs } from './links.ts'
import { referenceStyle } from './style.ts'
import { labelOf } from './wording.ts'

interface RecordRequest {
  readonly base: string
  readonly parameters: Parameters
}

/** The record for readers, and beside it the request and response that a program has. */
export function recordPage(
  universe: Universe,
  type: TypeName,
  entry: Entry,
  request: RecordRequest,
  json: unknown
): Page {
  const { title, fields, search } = RESOURCES[type]
  const path = `/api/${type}/${entry.id}/`
  const shown = fields.filter(
    ({ name, kind }) => name !== search[0] && kind !== 'url' && kind !== 'links'
  )
  const name = nameOf(type, entry)
  return {
    title: name,
    crumbs: [
      { text: 'reference', href: '/' },
      { text: title, href: `/api/${type}/` },
      { text: name }
    ],
    tabs: typeTabs(type),
    style: referenceStyle(),
    main: html`<div class="record">
<div>
<div class="portrait"><img class="poster" src="${path}image.svg" alt="" width="320" height="320">
${values(universe, shown, entry)}</div>
${linkedRecords(universe, type, entry)}
</div>
<section class="panel response" aria-label="Response of the API">
${response(path, request, json)}</section>
</div>
${neighbours(universe, type, entry)}`,
    foot: otherRepresentations(path, request.parameters, type)
  }
}

/** Short values first: SWAPI's order has the opening text of a film between them. */
function values(universe: Universe, fields: readonly Field[], entry: Entry): Markup {
  const isText = ({ name }: Field) => name === 'opening_crawl'
  const isShort = (field: Field) => !isText(field) && field.kind !== 'time'
  const ordered = [...fields.filter(isShort), ...fields.filter((field) => !isShort(field))]
  return html`<dl class="values">
${ordered.map(
  (field) => html`<div${!isShort(field) && html` class="long"`}><dt>${labelOf(field.name)}</dt>
<dd${isText(field) && html` class="prose"`}>${showValue(universe, field, entry)}</dd></div>
`
)}</dl>`
}

function response(path: string, { base, parameters }: RecordRequest, json: unknown): Markup {
  const url = base + dataUrl(path, parameters)
  const { text, isCut } = cutJson(JSON.stringify(json, null, 2))
  return html`${requestOf(base, path, parameters)}
${codeTabs('response', [
  { label: 'JSON', language: 'json', text },
  { label: 'curl', language: 'shell', text: `curl '${url}'` },
  {
    label: 'fetch',
    language: 'script',
    text: `const response = await fetch('${url}')\nconst record = await response.json()`
  }
])}
${isCut && html`<p class="soft">This is the beginning; <a href="${dataUrl(path, parameters)}">the JSON</a> is longer.</p>`}`
}

/** The records before and after it, by id. */
function neighbours({ types }: Universe, type: TypeName, { id }: Entry): Markup {
  const ids = [...types[type].keys()]
  const index = ids.indexOf(id)
  const link = (to: number | undefined, rel: 'prev' | 'next') => {
    const entry = to === undefined ? undefined : types[type].get(to)
    return (
      entry !== undefined &&
      html`<a href="/api/${type}/${entry.id}/" rel="${rel}"${rel === 'next' && html` class="next"`}><small>${rel === 'next' ? 'Next' : 'Previous'}</small>${nameOf(type, entry)}</a>`
    )
  }
  return html`<nav class="neighbours" aria-label="Previous and next record">${link(ids[index - 1], 'prev')}${link(ids[index + 1], 'next')}</nav>`
}
