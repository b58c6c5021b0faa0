import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  html,
  type Markup,
  PAGE_HEADERS,
  renderPage,
  SCRIPTED_PAGE_HEADERS
} from '../../../kernel/page.ts'

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
  /** The name of the tab unless told. */
  title?: string
  main: Markup
  script?: string
}

/** A browser asks for pages, programs for JSON, at the same addresses. */
export function wantsPage({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') === true
}

export function sendPage(reply: FastifyReply, { tab, title, main, script }: AdminPage) {
  const [href, text] = TABS[tab]
  const page = renderPage({
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
  return reply
    .headers(script === undefined ? PAGE_HEADERS : SCRIPTED_PAGE_HEADERS)
    .header('vary', 'accept')
    .send(page)
}

/** The same at one address for people and programs. */
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

/** After a change: a browser goes back to the page, a program is told that it is done. */
export function done(request: FastifyRequest, reply: FastifyReply, tab: Tab) {
  return wantsPage(request) ? reply.redirect(TABS[tab][0], 303) : reply.code(204).send()
}

export interface TableOptions {
  /** On a phone each row becomes a paragraph, its head first. */
  stacks?: boolean
  hidden?: boolean
}

/** A table that scrolls by itself where it is wider than the page. */
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

/** A number in a table; where rows stack there is no head above it to say of what. */
export function number(value: string | number, noun: string): Markup {
  return html`<td class="number">${value}<span class="noun"> ${noun}</span></td>`
}

/** The head of a column of numbers. */
export function numbers(name: string): Markup {
  return html`<th scope="col" class="number">${name}</th>`
}

/** A number with its noun. */
export function figure(name: string, value: string | number, more = ''): Markup {
  return html`<div><dt>${name}</dt><dd>${value} <small>${more}</small></dd></div>`
}
