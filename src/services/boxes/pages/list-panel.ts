import { html, type Markup, type Part } from '../../../kernel/html.ts'
import { emptyState, time } from '../../../kernel/page-parts.ts'
import type { Row } from '../store/scan.ts'
import { numbers } from './box-list.ts'
import {
  type Cell,
  cellOf,
  chooseColumns,
  type Members,
  nameOf,
  readMembers,
  widthOf
} from './columns.ts'
import { hiddenFields } from './form-parts.ts'
import { type PageRequest, pageUrl } from './page-request.ts'
import type { RecordList } from './read-list.ts'
import { createNodeBudget, type NodeBudget, recordTree } from './record-tree.ts'

const TEXTS = {
  title: 'Records',
  filter: 'Filter',
  example: 'name:ada*, born:<1900',
  new: 'New record',
  empty: 'No records here',
  emptyNext: 'Store the first record, or enter the key below if the box is private.',
  noMatch: 'No records match',
  noMatchNext: 'Change the filter, or clear it to see the newest records.',
  older: 'Older',
  newest: 'Newest',
  clear: 'Clear the filter',
  wrong: 'The filter is not valid',
  how: 'How to filter'
}

/** A mistake in the filter. */
export interface FilterMistake {
  readonly reason: string
  readonly at: { readonly start: number; readonly end: number } | undefined
}

export interface ListPanel {
  readonly look: PageRequest
  /** Undefined if the filter is not valid, or the list could not be read. */
  readonly list: RecordList | undefined
  readonly mistake: FilterMistake | undefined
  /** An error of the list that is not about the filter. */
  readonly problem: string | undefined
}

export function listPanel(panel: ListPanel): Markup {
  const { look, list, mistake, problem } = panel
  return html`<section class="panel box-records" aria-labelledby="records-title"><h2 class="hidden" id="records-title">${TEXTS.title}</h2>
${toolbar(look, mistake)}
${mistake !== undefined && mistakeNote(look.q, mistake)}
${problem !== undefined && html`<div class="note" role="alert"><p>${problem}</p></div>`}
${list !== undefined && listOrNone(look, list)}
</section>`
}

function toolbar(look: PageRequest, mistake: FilterMistake | undefined): Markup {
  const shown = { ...look, mode: 'show' } as const
  const views = [
    ['table', 'Table'],
    ['json', 'JSON']
  ] as const
  return html`<div class="box-tools">
<form action="/" method="get" role="search">
${hiddenFields({ box: look.box, view: look.view })}
<input name="q" value="${look.q}" placeholder="${TEXTS.example}" aria-label="${TEXTS.filter}" autocomplete="off" autocapitalize="off" spellcheck="false"${mistake !== undefined && html` aria-invalid="true" aria-describedby="mistake" data-focus`}>
<button class="quiet">${TEXTS.filter}</button>
</form>
<p class="box-views">${views.map(([view, text]) => html`<a class="chip" href="${pageUrl({ ...shown, view })}"${view === look.view && html` aria-current="true"`}>${text}</a>`)}</p>
<a class="button" href="${pageUrl({ ...look, record: '', mode: 'new' })}">${TEXTS.new}</a>
</div>
<details class="box-help"><summary>${TEXTS.how}</summary>
<dl class="parts">${HELP.map(([filter, meaning]) => html`<dt><code>${filter}</code></dt><dd>${meaning}</dd>`)}</dl></details>`
}

const HELP = [
  ['name:ada', 'the text is “ada”, in small or capital letters'],
  ['name:ada*', 'begins with “ada”; *ada ends with it, *ada* contains it'],
  ['born:>=1815', 'at least 1815; also > < <= ='],
  ['done:true', 'is true'],
  [
    'a.b:1, tags:new',
    'both conditions; a.b is b inside a, and an array matches if one element does'
  ],
  ['_createdOn:>2026-01-31', 'created after that day'],
  ['{"born": {"$lt": 1900}}', 'a filter in JSON, as parameter “where” of the API']
] as const

/** The filter again, with the wrong part marked. */
function mistakeNote(q: string, { reason, at }: FilterMistake): Markup {
  return html`<div class="note" role="alert" id="mistake"><p><b>${TEXTS.wrong}:</b> ${reason}.</p>
${
  at !== undefined &&
  html`<pre class="box-mistake">${q.slice(0, at.start)}<mark>${q.slice(at.start, at.end) || ' '}</mark>${q.slice(at.end)}</pre>
<p class="small">Character ${at.start + 1} of the filter.</p>`
}</div>`
}

function listOrNone(look: PageRequest, list: RecordList): Markup {
  const { records } = list
  const none =
    look.q.trim() === ''
      ? emptyState(TEXTS.empty, TEXTS.emptyNext)
      : emptyState(TEXTS.noMatch, TEXTS.noMatchNext)
  return html`<div id="list">${records.length === 0 ? none : renderRecords(look, records)}</div>
<p class="box-foot"><span id="count" class="soft">${countLine(list)}</span>
<span class="box-pages">${look.q !== '' && html`<a class="chip" href="${pageUrl({ box: look.box, view: look.view })}">${TEXTS.clear}</a>`}
${look.cursor !== '' && html`<a class="chip" href="${pageUrl({ ...look, cursor: '' })}">${TEXTS.newest}</a>`}
${list.cursor !== undefined && html`<a class="chip" id="older" href="${pageUrl({ ...look, cursor: list.cursor, record: '', mode: 'show' })}">${TEXTS.older}</a>`}</span></p>`
}

function countLine({ records, total, matches, parameters }: RecordList): string {
  const all = total === undefined ? 'many records' : recordsText(total)
  if (parameters.size > 0) {
    const some = matches === undefined ? `${records.length} or more` : numbers.format(matches)
    return `${some} of ${all} match`
  }
  if (total === records.length) return all
  return `${records.length} of ${all}`
}

export function recordsText(count: number): string {
  return count === 1 ? '1 record' : `${numbers.format(count)} records`
}

function renderRecords(look: PageRequest, records: readonly Row[]): Markup {
  return look.view === 'json' ? renderTrees(look, records) : renderTable(look, records)
}

function recordLink(look: PageRequest, { id }: Row, text: Part): Markup {
  const isOpen = id === look.record
  return html`<a id="l-${id}" href="${pageUrl({ ...look, record: id, mode: 'show' })}"${isOpen && html` aria-current="true"`}>${text}</a>`
}

function longText({ size }: Row): Markup {
  return html`<span class="soft">a long record of ${numbers.format(Math.ceil(size / 1024))} KB</span>`
}

function renderTable(look: PageRequest, records: readonly Row[]): Markup {
  const members = records.map(({ raw }) => (raw === null ? undefined : readMembers(raw)))
  const columns = chooseColumns(members.filter((one) => one !== undefined))
  const hasCollections = records.some(({ collection }) => collection !== null)
  const { names, others } = columns
  const heads = names.length === 0 ? ['_id'] : names
  const widths = names.map((name) =>
    widthOf(
      name,
      members.map((one) => cellOf(one?.get(name)))
    )
  )
  return html`<table class="stack box-grid"><thead><tr>${heads.map((name, index) => html`<th scope="col" class="${index > 0 && widths[index]}">${nameOf(name)}</th>`)}${hasCollections && html`<th scope="col" class="w2">collection</th>`}<th scope="col">created</th></tr></thead>
<tbody id="records">${records.map((row, index) => renderRow(look, row, members[index], names, hasCollections))}</tbody></table>
${others > 0 && html`<p class="small soft">${others === 1 ? '1 more key' : `${others} more keys`} in these records; open one to see all of it.</p>`}`
}

function renderRow(
  look: PageRequest,
  row: Row,
  members: Members | undefined,
  names: readonly string[],
  hasCollections: boolean
): Markup {
  const { id, rev, collection, created } = row
  const [first, ...rest] = names
  const cells = rest.map((name) => ({ name, cell: cellOf(members?.get(name)) }))
  const opening = first === undefined ? undefined : cellOf(members?.get(first))
  const title =
    opening === undefined || opening.kind === 'none'
      ? html`<code>${names.length === 0 ? id : `…${id.slice(-8)}`}</code>`
      : renderCell(opening)
  return html`<tr id="r-${id}" data-rev="${rev}"><th scope="row">${recordLink(look, row, title)}${members === undefined && html` ${longText(row)}`}</th>${cells.map(({ name, cell }) => html`<td>${cell.kind !== 'none' && html`<span class="noun soft">${nameOf(name)} </span>${renderCell(cell)}`}</td>`)}${hasCollections && html`<td>${collection}</td>`}<td class="soft">${time(created)}</td></tr>
`
}

function renderCell({ kind, text }: Cell): Markup {
  if (kind === 'text') return html`<span class="box-cell">${text}</span>`
  if (kind === 'json') return html`<code class="box-cell">${text}</code>`
  return html`<span class="box-cell hl-value">${text}</span>`
}

function renderTrees(look: PageRequest, records: readonly Row[]): Markup {
  const budget = createNodeBudget()
  return html`<ol class="records" id="records">${records.map((row) => renderTree(look, row, budget))}</ol>`
}

function renderTree(look: PageRequest, row: Row, budget: NodeBudget): Markup {
  const { id, rev, raw, created, collection } = row
  return html`<li id="r-${id}" data-rev="${rev}"><p>${recordLink(look, row, html`<code>${id}</code>`)} <span class="soft small">${time(created)}</span>${collection !== null && html` <span class="soft">${collection}</span>`}</p>
${raw === null ? longText(row) : recordTree(raw, budget)}</li>
`
}
