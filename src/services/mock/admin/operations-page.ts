import { html, type Markup } from '../../../kernel/html.ts'
import { emptyState, requestLine } from '../../../kernel/page-parts.ts'
import type { OperationCoverage } from '../coverage/coverage.ts'
import type { Documents } from '../documents.ts'
import { exampleUrl } from '../example-url.ts'
import { summarise } from '../report/summary.ts'
import { type AdminPage, countCell, figure, numbers, table } from './page.ts'
import { fittingRows, pageLinks, pageOf, restNote } from './paging.ts'
import { tryPath } from './try/find-operation.ts'

const TEXTS = {
  lead: 'The mocked operations. Open one to fill in a request and send it.',
  table: 'Operations',
  failing: 'The latest version is not served:',
  find: 'Find',
  placeholder: 'path, summary or id',
  button: 'Show',
  any: 'Send any request',
  none: 'No operation matches.',
  noneNext: 'Change the words, or leave the field empty to see all operations.',
  narrow: 'Use the field above to find them.'
}

const PAGE_SIZE = 100
/** From this number of operations on there is a field to find one. */
const MIN_TO_FIND = 12
const MAX_SHOWN = 120

export function operationsPage(documents: Documents, query: URLSearchParams): AdminPage {
  const { coverage } = documents
  const { operations, covered, calls, violations, strays } = summarise(coverage)
  const { failure: error } = documents.state()
  const words = query.get('find')?.trim() ?? ''
  const all = coverage.list()
  const page = pageOf(words === '' ? all : all.filter(matches(words)), query.get('page'), PAGE_SIZE)
  const { rows, rest } = fittingRows(page.shown, (one) => renderRow(documents, one))
  return {
    tab: 'operations',
    title: documents
      .apis()
      .map(({ api }) => api.title)
      .join(', '),
    script: '/__nonet/assets/live-page.js',
    main: html`<p class="lead">${TEXTS.lead} <span id="live" class="soft" role="status"></span></p>
${error !== undefined && html`<p class="note">${TEXTS.failing} ${error}</p>`}
<dl class="figures" data-live="figures">
${figure('Operations called', covered, `of ${operations}`)}
${figure('Calls', calls)}
${figure('Violations', violations, '', '/__nonet/violations')}
${figure('Unmatched requests', strays, '', '/__nonet/journal?operation=none')}
</dl>
<div class="bar pages">${operations >= MIN_TO_FIND && renderFind(words)}<a class="quiet" href="/__nonet/send">${TEXTS.any}</a></div>
${
  page.total === 0
    ? emptyState(TEXTS.none, TEXTS.noneNext)
    : table(
        TEXTS.table,
        ['Operation', 'Summary', 'Example', numbers('Calls')],
        html`<tbody>${rows}</tbody>`,
        { stacks: true }
      )
}
${restNote(rest, TEXTS.narrow)}${pageLinks('/__nonet/', query, page)}`
  }
}

function renderFind(words: string): Markup {
  return html`<form class="filter" method="get" action="/__nonet/"><label>${TEXTS.find}<input name="find" type="search" value="${words}" placeholder="${TEXTS.placeholder}"></label><button>${TEXTS.button}</button></form>`
}

/** Whether all words occur in method, path, id, summary or tags. */
function matches(words: string): (entry: OperationCoverage) => boolean {
  const wanted = words.toLowerCase().split(/\s+/)
  return ({ operation: { method, path, id = '', summary = '', tags } }) => {
    const text = [method, path, id, summary, ...tags].join(' ').toLowerCase()
    return wanted.every((word) => text.includes(word))
  }
}

function renderRow(documents: Documents, entry: OperationCoverage): Markup {
  const { operation, document, calls } = entry
  const { method, path, summary, id } = operation
  const served = documents.apis().find(({ label }) => label === document)
  const example = served && exampleUrl(served, operation, documents.prefixOf(operation))
  const shown = html`<code>${shorten(example ?? path)}</code>`
  return html`<tr>
<th scope="row">${requestLine(method, shorten(path), tryPath(documents, operation, document))}</th>
<td>${shorten(summary ?? id ?? '')}</td>
<td>${method === 'GET' && example !== undefined ? html`<a href="${example}">${shown}</a>` : shown}</td>
${countCell(calls, 'call', `${method} ${path}`)}
</tr>`
}

function shorten(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}
