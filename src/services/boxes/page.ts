import { html, type Markup, renderPage } from '../../kernel/page.ts'
import { timestamp } from './records.ts'
import type { StoredRecord } from './store/record.ts'

const TEXTS = {
  title: 'JSON storage',
  lead: 'Send a JSON object to a box of your own; it comes back exactly as you sent it, with an id and a date.',
  fresh: 'A box for you',
  freshNote:
    'Nobody has used this id yet. Whoever knows it can read and write the box, so keep it to yourself.',
  store: 'Store a record',
  box: 'Box id',
  record: 'JSON object',
  storeButton: 'Store',
  list: 'Look into a box',
  listButton: 'Show the newest',
  example: '{"name": "Ada Lovelace", "born": 1815}',
  table: (box: string) => `Newest records of ${box}`,
  empty: (box: string) => `There is nothing in ${box}.`,
  refused: 'Not stored'
}

/** A record may be a megabyte; a table cell may not. */
const MAX_SHOWN = 500

export interface HomePage {
  /** Address of the service, for the curl lines. */
  readonly url: string
  readonly freshBox: string
  /** The box that is looked into, or written to. */
  readonly box?: string | undefined
  readonly records?: readonly StoredRecord[] | undefined
  /** What was typed and not stored, and why. */
  readonly refused?: { readonly record: string; readonly message: string } | undefined
}

export function renderHomePage(page: HomePage): string {
  return renderPage({
    title: TEXTS.title,
    crumbs: [{ text: 'boxes' }],
    main: html`<p class="lead">${TEXTS.lead}</p>
${page.refused && html`<p class="note" role="alert">${TEXTS.refused}: ${page.refused.message}</p>`}
${page.records && renderRecords(page.box ?? '', page.records)}
<h2>${TEXTS.store}</h2>
${renderStoreForm(page)}
<h2>${TEXTS.list}</h2>
${renderListForm(page)}
<h2>${TEXTS.fresh}</h2>
<p>${TEXTS.freshNote}</p>
<pre tabindex="0">${curlLines(page)}</pre>`
  })
}

function curlLines({ url, freshBox }: HomePage): string {
  const address = `${url}/${freshBox}`
  return [
    `# store, and note the _id in the answer`,
    `curl --json '${TEXTS.example}' ${address}`,
    `# list the newest, or those that match`,
    `curl ${address}`,
    `curl '${address}?q=name:ada*,born:<1900&sort=-born'`,
    `# read, replace and delete one`,
    `curl ${address}/<_id>`,
    `curl --json '{"name": "Ada"}' -X PUT ${address}/<_id>`,
    `curl -X DELETE ${address}/<_id>`
  ].join('\n')
}

function renderStoreForm({ box, freshBox, refused }: HomePage): Markup {
  return html`<form action="/" method="post">
<label>${TEXTS.box} <input name="box" value="${box ?? freshBox}" required maxlength="128" size="26" autocomplete="off"></label>
<label>${TEXTS.record} <textarea name="record" rows="5" cols="60" required spellcheck="false">${refused?.record ?? TEXTS.example}</textarea></label>
<button>${TEXTS.storeButton}</button>
</form>`
}

function renderListForm({ box }: HomePage): Markup {
  return html`<form action="/" method="get">
<label>${TEXTS.box} <input name="box" value="${box ?? ''}" required maxlength="128" size="26" autocomplete="off"></label>
<button>${TEXTS.listButton}</button>
</form>`
}

function renderRecords(box: string, records: readonly StoredRecord[]): Markup {
  if (records.length === 0) return html`<p>${TEXTS.empty(box)}</p>`
  const title = TEXTS.table(box)
  return html`<h2>${title}</h2>
<div class="wide" tabindex="0" role="region" aria-label="${title}"><table>
<thead><tr><th scope="col">_id</th><th scope="col">_createdOn</th><th scope="col">Record</th></tr></thead>
<tbody>${records.map((record) => renderRow(box, record))}</tbody>
</table></div>`
}

function renderRow(box: string, { id, created, raw }: StoredRecord): Markup {
  const shown = raw.length > MAX_SHOWN ? `${raw.slice(0, MAX_SHOWN)}…` : raw
  const when = timestamp(created)
  return html`<tr>
<th scope="row"><a href="/${encodeURIComponent(box)}/${id}"><code>${id}</code></a></th>
<td><time datetime="${when}">${when}</time></td>
<td><code>${shown}</code></td>
</tr>`
}
