import { html, type Markup } from '../../kernel/html.ts'
import type { Page } from '../../kernel/page.ts'
import { type Caught, MAX_CAUGHT } from './catch.ts'

const TEXTS = {
  title: 'Caught submissions',
  lead: 'A sample webhook: submissions that the forms service forwards appear here until you set a real webhook.',
  memory: `The last ${MAX_CAUGHT} submissions are kept in memory and deleted when nonet stops.`,
  webhook: 'Forward to your own webhook',
  command: 'nonet up --forms-webhook https://hooks.example/catch/…',
  try: 'Try it',
  empty: 'No submissions yet.',
  table: 'Submissions, newest first',
  clear: 'Clear'
}

/** Maximum length of a table cell; a field can be as long as a request body. */
const MAX_SHOWN = 200

export function catchPage(caught: readonly Caught[], formsUrl: string, clearUrl: string): Page {
  return {
    title: TEXTS.title,
    crumbs: [{ text: TEXTS.title }],
    main: html`<p class="lead">${TEXTS.lead}</p>
<p class="note">${TEXTS.memory}</p>
${caught.length === 0 ? html`<p>${TEXTS.empty}</p>` : renderTable(caught, clearUrl)}
<h2>${TEXTS.try}</h2>
<pre tabindex="0">${tryLine(formsUrl)}</pre>
<h2>${TEXTS.webhook}</h2>
<pre tabindex="0">${TEXTS.command}</pre>`
  }
}

function tryLine(formsUrl: string): string {
  return `curl --json '{"email":"jane@example.org","fullName":"Jane Doe"}' ${formsUrl}`
}

function renderTable(caught: readonly Caught[], clearUrl: string): Markup {
  return html`<h2>${TEXTS.table}</h2>
<div class="wide" tabindex="0" role="region" aria-label="${TEXTS.table}"><table>
<thead><tr><th scope="col">When</th><th scope="col">email</th><th scope="col">fullName</th><th scope="col">Headers</th></tr></thead>
<tbody>${caught.map(renderRow)}</tbody>
</table></div>
<form action="${clearUrl}" method="post"><button>${TEXTS.clear}</button></form>`
}

function renderRow({ when, email, fullName, headers }: Caught): Markup {
  return html`<tr>
<th scope="row"><time datetime="${when}">${when.replace('T', ' ').slice(0, 19)}</time></th>
<td>${shorten(email)}</td>
<td>${shorten(fullName)}</td>
<td><ul>${Object.entries(headers).map(([name, value]) => html`<li><code>${name}: ${shorten(value)}</code></li>`)}</ul></td>
</tr>`
}

function shorten(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}
