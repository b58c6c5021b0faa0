import { html, type Markup } from '../../../kernel/html.ts'
import { codeTabs, statusFigure } from '../../../kernel/page-parts.ts'
import { errors } from '../contract.ts'
import type { FormOptions } from '../start-check.ts'

const FIELDS = '{"email":"jane@example.org","fullName":"Jane Doe"}'

/** Code to copy, with a remark if a switch must be set first. */
export function sampleTabs(url: string, options: FormOptions): Markup {
  return codeTabs('sample', [
    { label: 'fetch', text: fetchSample(url, options), language: 'script' },
    { label: 'HTML form', text: htmlSample(url, options), language: 'plain' },
    { label: 'curl', text: `curl -d '${FIELDS}' ${url}`, language: 'shell' }
  ])
}

function fetchSample(url: string, { origins }: FormOptions): string {
  const remark =
    origins.length === 0
      ? "// In a browser, start nonet with --forms-origins and your page's origin,\n// for example --forms-origins http://localhost:5173\n"
      : `// Pages of these origins can read the response: ${origins.join(', ')}\n`
  return `${remark}const response = await fetch('${url}', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ email: 'jane@example.org', fullName: 'Jane Doe' })
})
if (!response.ok) throw new Error(await response.text())
const { status } = await response.json()`
}

function htmlSample(url: string, { acceptForms, redirectSuccess, honeypot }: FormOptions): string {
  const remarks = [
    acceptForms ? '' : '<!-- Start nonet with --forms-accept-forms -->',
    acceptForms && redirectSuccess === undefined
      ? '<!-- --forms-redirect-success sets the page that is shown afterwards -->'
      : ''
  ].filter((remark) => remark !== '')
  const trap =
    honeypot === undefined
      ? []
      : [`  <input name="${honeypot}" hidden tabindex="-1" autocomplete="off">`]
  return [
    ...remarks,
    `<form action="${url}" method="post">`,
    '  <label>Email <input name="email" type="email" required></label>',
    '  <label>Name <input name="fullName" required></label>',
    ...trap,
    '  <button>Send</button>',
    '</form>'
  ].join('\n')
}

/** What a client gets, in the order of the checks. */
export function errorTable({ enforceOrigin, rateLimit }: FormOptions): Markup {
  const rows: readonly (readonly [string, number, string | Markup])[] = [
    ...(enforceOrigin ? [['Other origin', 403, 'Origin not allowed'] as const] : []),
    ...(rateLimit > 0 ? [['Too often', 429, 'Too many requests'] as const] : []),
    ['No body', 500, String(errors.bodyMissing())],
    ['No email', 500, String(errors.emailMissing())],
    ['No fullName', 500, String(errors.nameMissing())],
    ['Forwarded', 200, html`the webhook’s response`]
  ]
  return html`<div class="wide" tabindex="0" role="region" aria-label="Responses"><table>
<thead><tr><th scope="col">Request</th><th scope="col">Status</th><th scope="col">Response</th></tr></thead>
<tbody>${rows.map(([request, status, body]) => html`<tr><th scope="row">${request}</th><td>${statusFigure(status)}</td><td>${typeof body === 'string' ? html`<code>${body}</code>` : body}</td></tr>`)}</tbody>
</table></div>`
}
