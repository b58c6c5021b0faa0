import { highlightJson } from '../../../kernel/highlight.ts'
import { html, type Markup } from '../../../kernel/html.ts'
import type { Page } from '../../../kernel/page.ts'
import { askFirst, codeTabs, emptyState, jsonBlock, time } from '../../../kernel/page-parts.ts'
import type { StoredRecord } from '../store/record.ts'

const TEXTS = {
  title: 'JSON storage',
  lead: 'Send a JSON object to a box. It is returned exactly as you sent it, with an id and a date.',
  fresh: 'A new box',
  freshNote:
    'This id is unused. Anyone who knows it can read and write the box, so keep it secret.',
  store: 'Store a record',
  box: 'Box id',
  record: 'JSON object',
  storeButton: 'Store',
  open: 'Open a box',
  filter: 'Filter',
  filterExample: 'name:ada*,born:<1900',
  openButton: 'Show the newest records',
  key: 'Key',
  keyNote: 'only for a protected or private box',
  privateBox: 'A private box',
  privateNote: 'A private box looks empty without a key that may read it.',
  privateButton: 'Show with the key',
  example: '{"name": "Ada Lovelace", "born": 1815}',
  table: (box: string) => `Newest records of ${box}`,
  matches: (box: string) => `Newest matches in ${box}`,
  empty: (box: string) => `${box} is empty.`,
  emptyNext:
    'Store the first record with the form below. A private box looks empty without its key.',
  noMatch: (box: string) => `No records in ${box} match.`,
  noMatchNext: 'Change the filter, or leave it empty to see the newest records.',
  older: 'Older records',
  edit: (id: string) => `Record ${id}`,
  back: (box: string) => `Back to ${box}`,
  asJson: 'The record as JSON',
  save: 'Save',
  remove: 'Delete',
  removeQuestion: 'Delete this record for good?',
  removeButton: 'Delete the record',
  stored: 'Stored record',
  change: 'Change it',
  gone: 'Record not found, or you do not have access.',
  goneNext:
    'Check the id. A record of a private box needs its key: open the box with the key first.'
}

/** Characters of a record in a list; a record may be a megabyte. */
const MAX_SHOWN = 500

export const PAGE_SCRIPT = '/_page/boxes.js'

/** An action that failed, and the reason. */
export interface RejectedInput {
  readonly what: 'Not stored' | 'Not saved' | 'Not deleted' | 'Not shown'
  readonly message: string
  /** The input of the user. */
  readonly record?: string | undefined
}

export interface RecordListView {
  readonly box: string
  readonly q: string
  readonly records: readonly StoredRecord[]
  /** Cursor of the next page, with older records; undefined if there is none. */
  readonly cursor: string | undefined
}

export interface HomePage {
  /** URL of the service, for the curl commands. */
  readonly url: string
  readonly freshBox: string
  /** Box id in the forms. */
  readonly box?: string | undefined
  readonly view?: RecordListView | undefined
  readonly rejected?: RejectedInput | undefined
}

export function homePage(page: HomePage): Page {
  const { view } = page
  return {
    title: TEXTS.title,
    crumbs: [{ text: 'boxes' }],
    script: PAGE_SCRIPT,
    main: html`<p class="lead">${TEXTS.lead}</p>
${renderRejection(page.rejected)}
${view && renderView(view)}
<h2>${TEXTS.store}</h2>
${renderStoreForm(page)}
${view === undefined && html`<h2>${TEXTS.open}</h2>${renderOpenForm(page)}`}
<h2>${TEXTS.privateBox}</h2>
<p>${TEXTS.privateNote}</p>
${renderPrivateForm(page)}
<h2>${TEXTS.fresh}</h2>
<p>${TEXTS.freshNote}</p>
${renderSamples(page)}`
  }
}

export interface RecordPage {
  readonly box: string
  readonly id: string
  readonly record: StoredRecord | undefined
  readonly rejected?: RejectedInput | undefined
}

/** The page of one record, with a form to change or delete it. */
export function recordPage({ box, id, record, rejected }: RecordPage): Page {
  const home = `/?${new URLSearchParams({ box })}`
  return {
    title: TEXTS.edit(id),
    crumbs: [{ text: 'boxes', href: '/' }, { text: box, href: home }, { text: id }],
    script: PAGE_SCRIPT,
    main: html`${renderRejection(rejected)}
${record === undefined ? emptyState(TEXTS.gone, TEXTS.goneNext) : renderRecordForm(box, record, rejected)}
<p class="pages"><a href="${home}">${TEXTS.back(box)}</a>
${record && html`<a href="${boxUrl(box)}/${record.id}">${TEXTS.asJson}</a>`}</p>
<p id="watch" class="pages"></p>`
  }
}

function renderRecordForm(
  box: string,
  record: StoredRecord,
  rejected: RejectedInput | undefined
): Markup {
  const { id, raw, created, updated, collection, rev } = record
  const typed = rejected?.record
  return html`<dl>
<dt>_createdOn</dt><dd>${time(created)}</dd>
${updated !== null && html`<dt>_updatedOn</dt><dd>${time(updated)}</dd>`}
${collection !== null && html`<dt>_collection</dt><dd>${collection}</dd>`}
</dl>
<h2>${TEXTS.stored}</h2>
${jsonBlock(raw, TEXTS.stored)}
<h2>${TEXTS.change}</h2>
<form action="/" method="post">
<input type="hidden" name="box" value="${box}"><input type="hidden" name="id" value="${id}"><input type="hidden" name="rev" value="${rev}">
<label>${TEXTS.record} <textarea name="record" class="code" rows="12" cols="80" required spellcheck="false">${typed ?? raw}</textarea></label>
${renderKeyField()}
<button name="action" value="save">${TEXTS.save}</button>
${askFirst(TEXTS.remove, TEXTS.removeQuestion, html`<button name="action" value="delete" class="danger" formnovalidate>${TEXTS.removeButton}</button>`)}
</form>`
}

function renderRejection(rejected: RejectedInput | undefined): Markup | undefined {
  return rejected && html`<p class="note" role="alert">${rejected.what}: ${rejected.message}</p>`
}

function boxUrl(box: string): string {
  return `/${encodeURIComponent(box)}`
}

function renderSamples({ url, freshBox }: HomePage): Markup {
  const boxUrl = `${url}/${freshBox}`
  return codeTabs('sample', [
    { label: 'curl', language: 'shell', text: curlLines(boxUrl) },
    { label: 'fetch', language: 'script', text: fetchLines(boxUrl) }
  ])
}

function fetchLines(boxUrl: string): string {
  return `const box = '${boxUrl}'
const headers = { 'content-type': 'application/json' }

// store a record
const body = JSON.stringify({ name: 'Ada Lovelace', born: 1815 })
const response = await fetch(box, { method: 'POST', headers, body })
const { _id } = await response.json()

// list the newest records, then delete this one
const records = await fetch(box).then((response) => response.json())
await fetch(\`\${box}/\${_id}\`, { method: 'DELETE' })`
}

function curlLines(boxUrl: string): string {
  return [
    `# store a record, and note the _id in the response`,
    `curl --json '${TEXTS.example}' ${boxUrl}`,
    `# list the newest records, or those that match`,
    `curl ${boxUrl}`,
    `curl '${boxUrl}?q=name:ada*,born:<1900&sort=-born'`,
    `# read, replace and delete one record`,
    `curl ${boxUrl}/<_id>`,
    `curl --json '{"name": "Ada"}' -X PUT ${boxUrl}/<_id>`,
    `curl -X DELETE ${boxUrl}/<_id>`,
    `# watch changes`,
    `curl -N -H 'accept: text/event-stream' ${boxUrl}`
  ].join('\n')
}

function renderBoxField(box: string): Markup {
  return html`<label>${TEXTS.box} <input name="box" value="${box}" required maxlength="128" size="26" autocomplete="off"></label>`
}

function renderFilterField(q: string): Markup {
  return html`<label>${TEXTS.filter} <input name="q" value="${q}" size="26" placeholder="${TEXTS.filterExample}" autocomplete="off" spellcheck="false"></label>`
}

function renderKeyField(required = false): Markup {
  const note = required ? '' : html` <span class="soft">(${TEXTS.keyNote})</span>`
  return html`<label><span>${TEXTS.key}${note}</span> <input name="key" type="password" size="36" autocomplete="off"${required ? { markup: ' required' } : ''}></label>`
}

function renderStoreForm({ box, view, freshBox, rejected }: HomePage): Markup {
  return html`<form action="/" method="post">
${renderBoxField(box ?? view?.box ?? freshBox)}
<label>${TEXTS.record} <textarea name="record" class="code" rows="5" cols="60" required spellcheck="false">${rejected?.record ?? TEXTS.example}</textarea></label>
${renderKeyField()}
<button>${TEXTS.storeButton}</button>
</form>`
}

function renderOpenForm({ box, view }: Pick<HomePage, 'box' | 'view'>): Markup {
  return html`<form action="/" method="get">
${renderBoxField(box ?? view?.box ?? '')}
${renderFilterField(view?.q ?? '')}
<button>${TEXTS.openButton}</button>
</form>`
}

/** A POST form, because a URL must not contain a key. */
function renderPrivateForm({ box, view }: HomePage): Markup {
  return html`<form action="/" method="post">
${renderBoxField(box ?? view?.box ?? '')}
${renderFilterField(view?.q ?? '')}
${renderKeyField(true)}
<button name="action" value="show">${TEXTS.privateButton}</button>
</form>`
}

function renderView(view: RecordListView): Markup {
  const { box, q, records, cursor } = view
  const title = q === '' ? TEXTS.table(box) : TEXTS.matches(box)
  const none =
    q === ''
      ? emptyState(TEXTS.empty(box), TEXTS.emptyNext)
      : emptyState(TEXTS.noMatch(box), TEXTS.noMatchNext)
  const older = new URLSearchParams({ box, ...(q === '' ? {} : { q }), cursor: cursor ?? '' })
  return html`<h2>${title}</h2>
${renderOpenForm({ view })}
<p id="watch" class="pages"></p>
<div id="records">
${records.length === 0 ? none : renderList(title, box, records)}
${cursor !== undefined && html`<p class="pages"><a id="older" href="/?${older.toString()}">${TEXTS.older}</a></p>`}
</div>`
}

function renderList(title: string, box: string, records: readonly StoredRecord[]): Markup {
  return html`<ol class="records" aria-label="${title}">${records.map((record) => renderRow(box, record))}</ol>`
}

function renderRow(box: string, { id, created, collection, raw }: StoredRecord): Markup {
  const shown = raw.length > MAX_SHOWN ? `${raw.slice(0, MAX_SHOWN)}…` : raw
  const target = new URLSearchParams({ box, record: id })
  return html`<li>
<p><a id="r-${id}" href="/?${target.toString()}"><code>${id}</code></a> <span class="soft">${time(created)}</span>${collection !== null && html` <span class="soft">${collection}</span>`}</p>
<code>${highlightJson(shown)}</code>
</li>`
}
