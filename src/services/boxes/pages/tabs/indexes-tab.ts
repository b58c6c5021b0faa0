import { html, type Markup } from '../../../../kernel/html.ts'
import { emptyState } from '../../../../kernel/page-parts.ts'
import { writePath } from '../../box/index-routes.ts'
import type { BoxStore } from '../../store/store.ts'
import { hiddenFields, type KeyUse, keyField } from '../form-parts.ts'
import type { PageRequest } from '../page-request.ts'

const TEXTS = {
  lead: 'An index makes filters and sorting by one path fast in a large box. Results are the same without it.',
  empty: 'No indexes',
  emptyNext: 'Up to some 10,000 records, queries are fast without one.',
  path: 'Path',
  add: 'Add the index',
  remove: 'Remove'
}

export async function indexesTab(
  store: BoxStore,
  { box, key }: PageRequest,
  keyUse: KeyUse,
  typed: string
): Promise<Markup> {
  const indexes = (await store.seeIndexes({ box, key })).map(({ path, ready }) => ({
    path: writePath(path),
    ready
  }))
  return html`<section class="panel" aria-label="Indexes"><p>${TEXTS.lead}</p>
<form class="box-form" action="/" method="post">
${hiddenFields({ box, tab: 'indexes' })}
<label>${TEXTS.path} <input name="path" value="${typed}" placeholder="address.city" autocomplete="off" autocapitalize="off" spellcheck="false"></label>
<button name="action" value="index-add">${TEXTS.add}</button>
${keyField(keyUse)}
<div class="box-text">${indexes.length === 0 ? emptyState(TEXTS.empty, TEXTS.emptyNext) : indexTable(indexes)}</div>
</form></section>`
}

function indexTable(indexes: readonly { path: string; ready: boolean }[]): Markup {
  return html`<table><thead><tr><th scope="col">${TEXTS.path}</th><th scope="col">State</th><th scope="col"><span class="hidden">Actions</span></th></tr></thead>
<tbody>${indexes.map(({ path, ready }) => html`<tr><th scope="row"><code>${path}</code></th><td>${ready ? 'ready' : 'building'}</td><td class="right"><button name="action" value="index-remove ${path}" class="quiet" aria-label="${TEXTS.remove} ${path}">${TEXTS.remove}</button></td></tr>`)}</tbody></table>`
}
