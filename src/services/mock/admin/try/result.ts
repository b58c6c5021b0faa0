import { html, type Markup } from '../../../../kernel/html.ts'
import { emptyState, statusFigure } from '../../../../kernel/page-parts.ts'
import { FAULTS } from '../../serve/faults.ts'
import { bodyBlock } from '../body-block.ts'
import { headerTable, violationList } from '../entry-parts.ts'
import type { SentEntry } from './send.ts'

const TEXTS = {
  title: 'Response',
  none: 'No request has been sent yet.',
  noneNext: 'The response appears here, with what violates the document.',
  sound: 'The request and the response comply with the document.',
  unmatched: 'No operation of the document matches this request.',
  headers: 'Headers',
  noBody: 'The response has no body.',
  entry: 'Journal entry',
  edit: 'Change and send again',
  cut: 'Only the beginning was kept.',
  simulated: 'Simulated fault; a client would not get this response:'
}

/** The result of a request that was sent from the window. */
export function resultPanel(sent: SentEntry | undefined): Markup {
  return html`<section class="panel" id="response" aria-labelledby="response-title">
<header><h2 class="panel-title" id="response-title">${TEXTS.title}</h2>${sent !== undefined && html`<span>${statusFigure(sent.status)} <span class="soft">${sent.milliseconds.toFixed(1)} ms</span></span>`}</header>
${sent === undefined ? emptyState(TEXTS.none, TEXTS.noneNext) : renderSent(sent)}
</section>`
}

function renderSent({ id, violations, problem, operation, fault, response }: SentEntry): Markup {
  const { headers, body } = response
  return html`${fault !== null && html`<p class="note">${TEXTS.simulated} ${FAULTS[fault]}</p>`}
${violations.length > 0 ? violationList(violations, id) : html`<p role="status">${operation === null ? TEXTS.unmatched : problem === null ? TEXTS.sound : problem}</p>`}
${body === null ? html`<p class="soft">${TEXTS.noBody}</p>` : html`${bodyBlock(body, 'Body')}${body.cut && html`<p class="soft">${TEXTS.cut}</p>`}`}
<details><summary>${TEXTS.headers} <span class="soft">${Object.keys(headers).length}</span></summary>
${headerTable(headers, TEXTS.headers)}</details>
${id > 0 && html`<p class="links"><a href="/__nonet/journal/${id}">${TEXTS.entry} ${id}</a> <a href="/__nonet/journal/${id}/edit">${TEXTS.edit}</a></p>`}`
}
