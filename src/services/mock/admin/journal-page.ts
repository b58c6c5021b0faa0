import { html, type Markup } from '../../../kernel/html.ts'
import {
  askFirst,
  codeTabs,
  emptyState,
  methodBadge,
  requestLine,
  statusFigure,
  time
} from '../../../kernel/page-parts.ts'
import type { DescribedBody, DescribedEntry, DescribedMessage } from '../journal/describe-entry.ts'
import type { Filter } from '../journal/filter.ts'
import { type JournalCounts, type JournalEntry, MAX_ENTRIES } from '../journal/journal.ts'
import type { Mask } from '../journal/mask.ts'
import type { Diagnostic } from '../message.ts'
import { countOf } from '../report/summary.ts'
import { FAULTS } from '../serve/faults.ts'
import { bodyBlock } from './body-block.ts'
import { headerTable, violationList } from './entry-parts.ts'
import { type AdminPage, number, numbers, table } from './page.ts'
import { fittingRows } from './paging.ts'
import { curlOf, fetchOf } from './try/snippets.ts'

const TEXTS = {
  lead: 'Requests and responses, latest first.',
  none: 'No entries.',
  noneNext: 'Send a request to the mock, or change the filter.',
  table: 'Requests',
  still: 'Reload this page to see new requests.',
  clear: 'Clear the journal',
  clearQuestion: 'Remove all entries?',
  clearButton: 'Clear',
  show: 'Show',
  unread: 'No body recorded.',
  cut: 'cut',
  purpose: 'simulated',
  again: 'Send again',
  edit: 'Change and send',
  incomplete: 'It cannot be sent again, because only the beginning of its body was kept.',
  code: 'As code',
  hidden: 'Credentials are hidden (***): put your own in.',
  bytes: 'The body is not text, so it is left out.',
  long: 'The request is too long for a command; send it again from here.',
  older: 'Older',
  newest: 'Newest'
}

export interface JournalView {
  entries: readonly JournalEntry[]
  filter: Filter
  counts: JournalCounts
  /** Operations the filter offers, such as `GET /plants`. */
  operations: readonly string[]
  mask: Mask
  /** URL of the form that clears the journal. */
  clearUrl: string
}

export function journalPage(view: JournalView): AdminPage {
  const { entries, filter, counts, operations, mask, clearUrl } = view
  const { rows } = fittingRows(entries, (entry) => journalRow(entry, mask))
  // The table is hidden if it is empty; the script of the page shows it with the first row.
  const isEmpty = rows.length === 0
  const isNewest = filter.before > counts.last
  const last = entries[rows.length - 1]
  const hasMore = rows.length < entries.length || entries.length === filter.limit
  return {
    tab: 'journal',
    // New rows belong to the first page only.
    ...(isNewest ? { script: '/__nonet/assets/live-journal.js' } : {}),
    main: html`<p class="lead">${TEXTS.lead}</p>
${renderFilter(filter, operations)}
<p class="soft">${rows.length} shown; ${counts.kept} of ${counts.recorded} kept (maximum ${MAX_ENTRIES}). <span id="live" role="status">${isNewest && TEXTS.still}</span></p>
${isEmpty && html`<div id="none">${emptyState(TEXTS.none, TEXTS.noneNext)}</div>`}
${table(
  TEXTS.table,
  ['Request', 'Status', 'Operation', 'Violations', 'Time', numbers('ms')],
  html`<tbody id="entries" data-last="${entries[0]?.id ?? counts.last}">${rows}</tbody>`,
  { stacks: true, hidden: isEmpty }
)}
<nav class="pages" aria-label="Pages of the list">${!isNewest && html`<a href="${journalPath(filter)}" rel="prev">${TEXTS.newest}</a>`}${hasMore && last !== undefined && html`<a href="${journalPath(filter, last.id)}" rel="next">${TEXTS.older}</a>`}</nav>
${askFirst(TEXTS.clear, TEXTS.clearQuestion, html`<form method="post" action="${clearUrl}"><button class="danger">${TEXTS.clearButton}</button></form>`)}`
  }
}

/** URL of the journal with the same filter, from the entry before this one on. */
function journalPath({ operation, status, violations }: Filter, before?: number): string {
  const query = new URLSearchParams()
  if (operation !== undefined) query.set('operation', operation)
  if (status !== undefined) query.set('status', status)
  if (violations !== undefined) query.set('violations', String(violations))
  if (before !== undefined) query.set('before', String(before))
  return query.size === 0 ? '/__nonet/journal' : `/__nonet/journal?${query}`
}

/** Bytes of the names of operations to choose from; of a larger document one is typed in. */
const MAX_CHOICE_BYTES = 8 * 1024

function renderFilter(filter: Filter, operations: readonly string[]): Markup {
  const option = (value: string, text: string, chosen: string | undefined) =>
    html`<option value="${value}"${(chosen ?? '') === value && html` selected`}>${text}</option>`
  const violations = filter.violations === undefined ? '' : String(filter.violations)
  const known = ['', 'none', ...operations]
  const foreign = filter.operation !== undefined && !known.includes(filter.operation)
  return html`<form class="filter" method="get" action="/__nonet/journal">
<label>Operation${
    operations.join('').length > MAX_CHOICE_BYTES
      ? html`<input name="operation" value="${filter.operation ?? ''}" placeholder="${operations[0] ?? ''}, or none">`
      : html`<select name="operation">
${option('', 'any', filter.operation)}
${foreign && option(filter.operation ?? '', filter.operation ?? '', filter.operation)}
${operations.map((operation) => option(operation, operation, filter.operation))}
${option('none', 'none', filter.operation)}
</select>`
  }</label>
<label>Status<input name="status" size="6" value="${filter.status ?? ''}" placeholder="4xx" pattern="[1-5]([0-9][0-9]|xx|XX)"></label>
<label>Violations<select name="violations">
${option('', 'with or without', violations)}
${option('true', 'with', violations)}
${option('false', 'without', violations)}
</select></label>
<button>${TEXTS.show}</button>
</form>`
}

const MAX_SHOWN = 120

function shorten(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}

export function journalRow(entry: JournalEntry, mask: Mask): Markup {
  const { id, method, path, query, status, template, operationId } = entry
  const target = query === '' ? path : `${path}?${mask.query(query)}`
  return html`<tr>
<th scope="row">${requestLine(method, shorten(target), `/__nonet/journal/${id}`)}</th>
<td class="fit">${statusFigure(status)}</td>
<td>${operationId ?? template ?? html`<span class="soft">none</span>`}</td>
<td>${wrongs(entry)}</td>
<td class="fit">${time(entry.at)}</td>
${number(entry.milliseconds.toFixed(1), 'ms')}
</tr>`
}

function wrongs({ diagnostics, problem, fault }: JournalEntry): Markup {
  const found =
    diagnostics.length > 0
      ? violationCount(diagnostics)
      : problem !== undefined && html`<code>${problem}</code>`
  return html`${found}${fault !== undefined && html`<div>${fault}, ${TEXTS.purpose}</div>`}`
}

function violationCount({ length }: readonly Diagnostic[]): string {
  return length === 1 ? '1 violation' : `${length} violations`
}

export interface EntryActions {
  /** URL of the mock, for code to copy. */
  base: string
  /** URL of the form that sends the request again. */
  sendUrl: string
  /** URL of the page that tries the operation; undefined if no operation matched. */
  tryUrl: string | undefined
  /** Whether the journal has all of the request. */
  isComplete: boolean
}

export function entryPage(entry: DescribedEntry, actions: EntryActions): AdminPage {
  const { method, path, query, status, operation, example, problem, fault, violations } = entry
  const target = query === '' ? path : `${path}?${query}`
  const line = operation && requestLine(operation.method, operation.path, actions.tryUrl)
  return {
    tab: 'journal',
    title: `Request ${entry.id}`,
    main: html`<p class="lead">${methodBadge(method)} <code>${target}</code></p>
${renderActions(entry, actions)}
<dl>
<dt>Status</dt><dd>${statusFigure(status)}</dd>
<dt>Operation</dt><dd>${operation === null ? 'none' : html`${line} of ${operation.document}`}</dd>
${example !== null && html`<dt>Example</dt><dd>${example}</dd>`}
${problem !== null && html`<dt>Problem</dt><dd><code>${problem}</code></dd>`}
${fault !== null && html`<dt>Fault</dt><dd><code>${fault}</code>, ${TEXTS.purpose}: ${FAULTS[fault]}</dd>`}
<dt>Response from</dt><dd>${entry.forwarded ? 'the upstream' : 'the mock'}</dd>
<dt>Time</dt><dd>${time(entry.at)}, ${entry.milliseconds} ms</dd>
</dl>
${violations.length > 0 && html`<h2>Violations</h2>${violationList(violations)}`}
<div class="columns spaced">
${renderMessage(entry.request, 'Request')}
${renderMessage(entry.response, 'Response')}
</div>
<h2>${TEXTS.code}</h2>
${renderCode(entry, actions.base)}`
  }
}

function renderActions({ id }: DescribedEntry, { sendUrl, isComplete }: EntryActions): Markup {
  return html`<div class="bar pages">${
    isComplete
      ? html`<form method="post" action="${sendUrl}"><button>${TEXTS.again}</button></form>`
      : html`<p class="soft">${TEXTS.incomplete}</p>`
  }<a class="quiet" href="/__nonet/journal/${id}/edit">${TEXTS.edit}</a></div>`
}

/** Longer code is not copied by people, and would be on the page twice. */
const MAX_CODE = 4000

function renderCode(entry: DescribedEntry, base: string): Markup {
  const curl = curlOf(entry, base)
  if (curl.length > MAX_CODE) return html`<p class="soft">${TEXTS.long}</p>`
  const isHidden = curl.includes('***')
  const isBytes = entry.request.body?.base64 !== undefined
  return html`${isHidden && html`<p class="soft">${TEXTS.hidden}</p>`}${isBytes && html`<p class="soft">${TEXTS.bytes}</p>`}
${codeTabs('code', [
  { label: 'curl', text: curl, language: 'shell' },
  { label: 'fetch', text: fetchOf(entry, base), language: 'script' }
])}`
}

/** Body first, because the headers are often many. */
function renderMessage({ headers, body }: DescribedMessage, title: string): Markup {
  return html`<section class="panel"><header><h2 class="panel-title">${title}</h2>${body !== null && html`<span class="soft">${bodySize(body)}</span>`}</header>
${body === null ? html`<p class="soft">${TEXTS.unread}</p>` : bodyBlock(body, `${title} body`)}
${headerTable(headers, `${title} headers`)}</section>`
}

function bodySize({ bytes, cut, text }: DescribedBody): string {
  return `${countOf(bytes, 'byte')}${text === undefined ? ', as base64' : ''}${cut ? `, ${TEXTS.cut}` : ''}`
}
