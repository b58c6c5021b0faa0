import { html, type Markup } from '../../../kernel/html.ts'
import {
  askFirst,
  codeBlock,
  emptyState,
  jsonBlock,
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
import { FAULTS } from '../serve/faults.ts'
import { type AdminPage, number, numbers, table } from './page.ts'

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
  purpose: 'simulated'
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
  // The table is hidden if it is empty; the script of the page shows it with the first row.
  const isEmpty = entries.length === 0
  return {
    tab: 'journal',
    script: '/__nonet/assets/live-journal.js',
    main: html`<p class="lead">${TEXTS.lead}</p>
${renderFilter(filter, operations)}
<p class="soft">${entries.length} shown; ${counts.kept} of ${counts.recorded} kept (maximum ${MAX_ENTRIES}). <span id="live" role="status">${TEXTS.still}</span></p>
${isEmpty && html`<div id="none">${emptyState(TEXTS.none, TEXTS.noneNext)}</div>`}
${table(
  TEXTS.table,
  ['Request', 'Status', 'Operation', 'Violations', 'Time', numbers('ms')],
  html`<tbody id="entries" data-last="${entries[0]?.id ?? counts.last}">${entries.map((entry) => journalRow(entry, mask))}</tbody>`,
  { stacks: true, hidden: isEmpty }
)}
<p></p>
${askFirst(TEXTS.clear, TEXTS.clearQuestion, html`<form method="post" action="${clearUrl}"><button class="danger">${TEXTS.clearButton}</button></form>`)}`
  }
}

function renderFilter(filter: Filter, operations: readonly string[]): Markup {
  const option = (value: string, text: string, chosen: string | undefined) =>
    html`<option value="${value}"${(chosen ?? '') === value && html` selected`}>${text}</option>`
  const violations = filter.violations === undefined ? '' : String(filter.violations)
  const known = ['', 'none', ...operations]
  const foreign = filter.operation !== undefined && !known.includes(filter.operation)
  return html`<form class="filter" method="get" action="/__nonet/journal">
<label>Operation<select name="operation">
${option('', 'any', filter.operation)}
${foreign && option(filter.operation ?? '', filter.operation ?? '', filter.operation)}
${operations.map((operation) => option(operation, operation, filter.operation))}
${option('none', 'none', filter.operation)}
</select></label>
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

export function entryPage(entry: DescribedEntry): AdminPage {
  const { method, path, query, status, operation, example, problem, fault, violations } = entry
  const target = query === '' ? path : `${path}?${query}`
  return {
    tab: 'journal',
    title: `Request ${entry.id}`,
    main: html`<p class="lead">${methodBadge(method)} <code>${target}</code></p>
<dl>
<dt>Status</dt><dd>${statusFigure(status)}</dd>
<dt>Operation</dt><dd>${operation === null ? 'none' : html`${requestLine(operation.method, operation.path)} of ${operation.document}`}</dd>
${example !== null && html`<dt>Example</dt><dd>${example}</dd>`}
${problem !== null && html`<dt>Problem</dt><dd><code>${problem}</code></dd>`}
${fault !== null && html`<dt>Fault</dt><dd><code>${fault}</code>, ${TEXTS.purpose}: ${FAULTS[fault]}</dd>`}
<dt>Response from</dt><dd>${entry.forwarded ? 'the upstream' : 'the mock'}</dd>
<dt>Time</dt><dd>${time(entry.at)}, ${entry.milliseconds} ms</dd>
</dl>
${violations.length > 0 && renderViolations(violations)}
<h2>Request</h2>
${renderMessage(entry.request, 'Request headers', 'Request body')}
<h2>Response</h2>
${renderMessage(entry.response, 'Response headers', 'Response body')}`
  }
}

function renderViolations(violations: readonly Diagnostic[]): Markup {
  return html`<h2>Violations</h2>
${table(
  'Violations',
  ['Location', 'Violation', 'Rule'],
  html`<tbody>${violations.map(
    ({ location, message, severity, code }) => html`<tr>
<td><code>${location.join('.')}</code></td>
<td>${severity !== 'Error' && html`<span class="soft">${severity}: </span>`}${message}</td>
<td>${code ?? ''}</td>
</tr>`
  )}</tbody>`
)}`
}

function renderMessage({ headers, body }: DescribedMessage, head: string, rest: string): Markup {
  return html`${table(
    head,
    ['Header', 'Value'],
    html`<tbody>${Object.entries(headers).map(
      ([name, value]) => html`<tr><th scope="row"><code>${name}</code></th>
<td>${[value].flat().map((line) => html`<div>${line}</div>`)}</td></tr>`
    )}</tbody>`
  )}
${body === null ? html`<p class="soft">${TEXTS.unread}</p>` : renderBody(body, rest)}`
}

function renderBody({ bytes, cut, text, base64 }: DescribedBody, label: string): Markup {
  const kind = text === undefined ? ', as base64' : ''
  return html`<p class="soft">${bytes} bytes${kind}${cut && `, ${TEXTS.cut}`}</p>
${text === undefined ? codeBlock(base64 ?? '', 'plain', label) : jsonBlock(text, label)}`
}
