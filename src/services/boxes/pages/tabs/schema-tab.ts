import { html, type Markup } from '../../../../kernel/html.ts'
import { askFirst } from '../../../../kernel/page-parts.ts'
import type { BoxStore } from '../../store/store.ts'
import { hiddenFields, jsonArea, type KeyUse, keyField } from '../form-parts.ts'
import { type PageRequest, pageUrl } from '../page-request.ts'

const TEXTS = {
  lead: 'A JSON Schema rejects records that do not match it. Records that are already stored stay as they are.',
  box: 'All records',
  schema: 'JSON Schema',
  collection: 'Collection',
  collectionNote: '(empty for all records of the box)',
  save: 'Save the schema',
  remove: 'Remove the schema',
  question: 'Remove this schema? Records stay.',
  removeButton: 'Remove',
  example: `{
  "type": "object",
  "required": ["name"],
  "properties": {
    "name": { "type": "string" },
    "born": { "type": "integer" }
  }
}`
}

export async function schemaTab(
  store: BoxStore,
  look: PageRequest,
  keyUse: KeyUse,
  typed: string | undefined
): Promise<Markup> {
  const { box, key, name } = look
  const { schemas = {} } = await store.readRules({ box, key })
  const names = Object.keys(schemas)
  const text = names.includes(name) ? await store.readSchema({ box, key }, name) : undefined
  return html`<section class="panel" aria-label="Schema"><p>${TEXTS.lead}</p>
${names.length > 0 && html`<p class="box-pages">${names.map((one) => html`<a class="chip" href="${pageUrl({ box, tab: 'schema', name: one })}"${one === name && html` aria-current="true"`}>${one === '' ? TEXTS.box : one}</a>`)}</p>`}
<form class="box-form" action="/" method="post">
${hiddenFields({ box, tab: 'schema' })}
<label><span>${TEXTS.collection} <span class="soft">${TEXTS.collectionNote}</span></span><input name="name" value="${name}" autocomplete="off" spellcheck="false"></label>
${jsonArea('text', TEXTS.schema, typed ?? text ?? TEXTS.example, { rows: 12 })}
${keyField(keyUse)}
<div class="box-actions"><button name="action" value="schema-save">${TEXTS.save}</button>
${text !== undefined && askFirst(TEXTS.remove, TEXTS.question, html`<button name="action" value="schema-remove" class="danger" formnovalidate>${TEXTS.removeButton}</button>`)}</div>
</form></section>`
}
