import type { FastifyReply, FastifyRequest } from 'fastify'
import { html, type Markup } from '../../../kernel/html.ts'
import { sendPage as sendFramedPage } from '../../../kernel/send-page.ts'

const TABS = {
  operations: ['/__nonet/', 'Operations'],
  journal: ['/__nonet/journal', 'Journal'],
  violations: ['/__nonet/violations', 'Violations'],
  coverage: ['/__nonet/coverage', 'Coverage'],
  state: ['/__nonet/state', 'State'],
  webhooks: ['/__nonet/webhooks', 'Webhooks'],
  documents: ['/__nonet/documents', 'Documents']
} as const satisfies Record<string, readonly [string, string]>

export type Tab = keyof typeof TABS

export interface AdminPage {
  tab: Tab
  /** The label of the tab by default. */
  title?: string
  main: Markup
  script?: string
}

/** Browsers get pages and other clients JSON, at the same URLs. */
export function wantsPage({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') === true
}

export function sendPage(reply: FastifyReply, { tab, title, main, script }: AdminPage) {
  const [href, text] = TABS[tab]
  reply.header('vary', 'accept')
  return sendFramedPage(reply, {
    title: title ?? text,
    crumbs:
      title === undefined
        ? [{ text: 'mock', href: '/__nonet/' }, { text }]
        : [{ text: 'mock', href: '/__nonet/' }, { text, href }, { text: title }],
    tabs: Object.entries(TABS).map(([name, [path, label]]) => ({
      text: label,
      href: path,
      current: name === tab
    })),
    main,
    ...(script === undefined ? {} : { script })
  })
}

/** Sends a page to browsers and JSON to other clients. */
export function sendPageOrJson(
  request: FastifyRequest,
  reply: FastifyReply,
  json: () => object,
  page: () => AdminPage
) {
  return wantsPage(request)
    ? sendPage(reply, page())
    : reply.header('vary', 'accept').type('application/json').send(JSON.stringify(json()))
}

/** Response to a change: browsers are redirected to the page, other clients get 204. */
export function done(request: FastifyRequest, reply: FastifyReply, tab: Tab) {
  return wantsPage(request) ? reply.redirect(TABS[tab][0], 303) : reply.code(204).send()
}

export interface TableOptions {
  /** On a phone each row is shown as a paragraph that starts with the row header. */
  stacks?: boolean
  hidden?: boolean
}

/** A table that scrolls by itself if it is wider than the page. */
export function table(
  label: string,
  columns: readonly (string | Markup)[],
  rows: Markup,
  { stacks = false, hidden = false }: TableOptions = {}
): Markup {
  return html`<div class="${stacks ? 'wide stack' : 'wide'}"${hidden && html` hidden`} role="region" aria-label="${label}" tabindex="0"><table>
<thead><tr>${columns.map((column) => (typeof column === 'string' ? html`<th scope="col">${column}</th>` : column))}</tr></thead>
${rows}
</table></div>`
}

/** A table cell with a number. The noun replaces the column header where rows are stacked. */
export function number(value: string | number, noun: string): Markup {
  return html`<td class="number">${value}<span class="noun"> ${noun}</span></td>`
}

/** A number of things; `live` is the key by which the script of the page finds the cell again. */
export function countCell(count: number, noun: string, live?: string): Markup {
  return html`<td class="number"${live !== undefined && html` data-live="${live}"`}>${count}<span class="noun"> ${count === 1 ? noun : `${noun}s`}</span></td>`
}

/** Header of a column of numbers. */
export function numbers(name: string): Markup {
  return html`<th scope="col" class="number">${name}</th>`
}

/** A number with its label, which may lead to what was counted. */
export function figure(name: string, value: string | number, more = '', href?: string): Markup {
  const label = href === undefined ? name : html`<a href="${href}">${name}</a>`
  return html`<div><dt>${label}</dt><dd>${value} <small>${more}</small></dd></div>`
}
