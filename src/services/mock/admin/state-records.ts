import { html, type Markup } from '../../../kernel/html.ts'
import { askFirst, emptyState, jsonBlock } from '../../../kernel/page-parts.ts'
import type { Json } from '../document/json.ts'
import type { Diagnostic } from '../message.ts'
import { countOf } from '../report/summary.ts'
import type { StoredRecord } from '../state/view.ts'
import { violationList } from './entry-parts.ts'
import { type AdminPage, table } from './page.ts'
import { fittingRows, pageLinks, pageOf, restNote } from './paging.ts'

const TEXTS = {
  none: 'No records.',
  noneNext: 'Add one below, or send a POST request to the collection.',
  table: 'Records',
  add: 'Add a record',
  addButton: 'Add',
  record: 'Record, as JSON',
  newRecord: 'Record, as JSON; an id is made if you leave it out',
  unchecked: 'Store it even if it violates the document',
  edit: 'Edit',
  save: 'Save',
  now: 'Stored now',
  rejected: 'Not stored:',
  remove: 'Delete',
  removeQuestion: 'Delete this record and everything below it?',
  removeButton: 'Delete the record',
  long: 'The record is too long to be edited here: send it with PUT /__nonet/state/records.',
  back: 'All records of',
  narrow: 'The JSON of this URL has all of them.'
}

const PAGE_SIZE = 50
const MAX_COLUMNS = 6
const MAX_CELL = 60
/** Longer records are shown only; the form would contain the text twice. */
const MAX_EDITABLE = 20_000

export interface StateForms {
  addUrl: string
  saveUrl: string
  deleteUrl: string
  /** Empty for requests without a session. */
  session: string
}

/** What a person wrote, if it could not be stored. */
export interface RejectedText {
  text: string
  message: string
  violations: readonly Diagnostic[]
}

export function statePath(path: string, session: string): string {
  const query = new URLSearchParams({ path, ...(session === '' ? {} : { session }) })
  return `/__nonet/state?${query}`
}

/** The records of a collection, in columns by their members. */
export function recordsPage(
  path: string,
  records: readonly StoredRecord[],
  query: URLSearchParams,
  forms: StateForms,
  rejected?: RejectedText
): AdminPage {
  const page = pageOf(records, query.get('page'), PAGE_SIZE)
  const columns = columnsOf(page.shown)
  const { rows, rest } = fittingRows(page.shown, (one) => renderRow(one, columns, forms.session))
  return {
    tab: 'state',
    title: path,
    main: html`<p class="lead">${countOf(records.length, 'record')}${forms.session !== '' && html` of session ${forms.session}`}.</p>
${
  records.length === 0
    ? emptyState(TEXTS.none, TEXTS.noneNext)
    : table(TEXTS.table, ['Record', ...columns], html`<tbody>${rows}</tbody>`, { stacks: true })
}
${restNote(rest, TEXTS.narrow)}${pageLinks('/__nonet/state', query, page)}
<section class="part"><h2>${TEXTS.add}</h2>
${rejected !== undefined && renderRejected(rejected)}
<form class="fill" method="post" action="${forms.addUrl}">
${hidden(path, forms.session)}
${renderText(rejected?.text ?? templateOf(records), TEXTS.newRecord)}
<button>${TEXTS.addButton}</button>
</form></section>`
  }
}

/** The most frequent members of the records, in the order of the first one. */
function columnsOf(records: readonly StoredRecord[]): string[] {
  const counts = new Map<string, number>()
  for (const { record } of records) {
    for (const name of Object.keys(record)) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const frequent = [...counts].sort(([, one], [, other]) => other - one).slice(0, MAX_COLUMNS)
  const chosen = new Set(frequent.map(([name]) => name))
  // The id is in the first column already.
  const isId = (name: string) => records.every(({ id, record }) => String(record[name]) === id)
  return [...counts.keys()].filter((name) => chosen.has(name) && !isId(name))
}

function renderRow(
  { id, path, record }: StoredRecord,
  columns: readonly string[],
  session: string
): Markup {
  return html`<tr><th scope="row"><a href="${statePath(path, session)}">${shorten(id)}</a></th>
${columns.map((name) => html`<td><span class="noun">${shorten(name)}: </span>${cellText(Object.hasOwn(record, name) ? record[name] : undefined)}</td>`)}</tr>`
}

function cellText(value: Json | undefined): string {
  if (value === undefined) return '–'
  return shorten(typeof value === 'string' ? value : JSON.stringify(value))
}

function shorten(text: string): string {
  return text.length > MAX_CELL ? `${text.slice(0, MAX_CELL)}…` : text
}

/** Something to change instead of an empty field: the members of the last record. */
function templateOf(records: readonly StoredRecord[]): string {
  const last = records.at(-1)?.record
  if (last === undefined) return '{\n  \n}'
  const names = Object.keys(last)
  const text = JSON.stringify(
    Object.fromEntries(Object.entries(last).filter(([name]) => name !== names[0])),
    null,
    2
  )
  return text.length > MAX_EDITABLE ? '{\n  \n}' : text
}

/** One record with its forms; `rejected` is an edit that could not be stored. */
export function recordPage(
  stored: StoredRecord,
  forms: StateForms,
  rejected?: RejectedText
): AdminPage {
  const { path, list, record, version } = stored
  const text = JSON.stringify(record, null, 2)
  const isLong = text.length > MAX_EDITABLE
  return {
    tab: 'state',
    title: path,
    main: html`<p class="lead"><a href="${statePath(list, forms.session)}">${TEXTS.back} ${list}</a>${forms.session !== '' && html`, session ${forms.session}`}</p>
${rejected !== undefined && renderRejected(rejected)}
<div class="columns">
<section class="panel"><header><h2 class="panel-title">${TEXTS.edit}</h2></header>
${
  isLong
    ? html`<p class="soft">${TEXTS.long}</p>`
    : html`<form class="fill" method="post" action="${forms.saveUrl}">
${hidden(path, forms.session)}<input type="hidden" name="version" value="${version}">
${renderText(rejected?.text ?? text)}
<button>${TEXTS.save}</button>
</form>`
}</section>
<section class="panel"><header><h2 class="panel-title">${TEXTS.now}</h2></header>
${jsonBlock(isLong ? `${text.slice(0, MAX_EDITABLE)}…` : text, path)}
${askFirst(TEXTS.remove, TEXTS.removeQuestion, html`<form method="post" action="${forms.deleteUrl}">${hidden(path, forms.session)}<button class="danger">${TEXTS.removeButton}</button></form>`)}
</section>
</div>`
  }
}

function hidden(path: string, session: string): Markup {
  return html`<input type="hidden" name="path" value="${path}"><input type="hidden" name="session" value="${session}">`
}

function renderText(text: string, label = TEXTS.record): Markup {
  const rows = Math.min(Math.max(text.split('\n').length + 1, 6), 24)
  return html`<label>${label}<textarea name="record" rows="${rows}" class="code" spellcheck="false">
${text}</textarea></label>
<div class="choices"><label><input type="checkbox" name="unchecked" value="yes">${TEXTS.unchecked}</label></div>`
}

function renderRejected({ message, violations }: RejectedText): Markup {
  return html`<div class="note" role="alert"><p>${TEXTS.rejected} ${message}.</p>${violations.length > 0 && violationList(violations)}</div>`
}
