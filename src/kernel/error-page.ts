import type { IncomingMessage } from 'node:http'
import type { BaseUrl } from './base-url.ts'
import type { ErrorExplanation, ErrorResponse } from './errors.ts'
import { html, type Markup } from './html.ts'
import { isNavigation } from './navigation.ts'
import { STATUS_CODES } from './node-http.ts'
import { type Frame, PAGE_HEADERS, type Page, renderPage } from './page.ts'
import { codeBlock, jsonBlock } from './page-parts.ts'
import { toOriginForm } from './request-target.ts'

type Explained = ErrorResponse & { explanation: ErrorExplanation }

export interface ErrorPageOptions {
  /** Name of the service, or `console`. */
  name: string
  /** Path of the page for people, which error pages lead to. */
  pagePath: string
  baseUrl: BaseUrl
  frame: (baseUrl: string) => Frame
}

interface FailedRequest extends ErrorPageOptions {
  request: IncomingMessage
  /** Request target as sent. */
  url: string
}

const TITLES: Readonly<Record<number, string>> = {
  400: 'The request is not valid',
  401: 'Key or token required',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Method not allowed',
  410: 'No longer available',
  413: 'Too large',
  421: 'Host name not allowed',
  429: 'Too many requests',
  500: 'Internal error',
  503: 'Not available at the moment',
  507: 'No disk space left'
}

const NEXT = {
  unknown: 'Check the URL for typing errors, or continue here:',
  busy: 'Wait a moment and load the page again, or continue here:',
  broken: 'Load the page again. If the error stays, the log of nonet tells more. Or continue here:',
  other: 'The message says what is wrong. You can continue here:'
}

const TEXTS = {
  forPrograms: 'For programs',
  sameNote: 'They get this error in the format of the service:',
  console: 'Console'
}

/** The page in place of an error: the status stays, and so do the headers of the service. */
export function toErrorPage(rendered: Explained, failed: FailedRequest): ErrorResponse {
  const { status, headers = {} } = rendered
  const { 'content-type': type, ...pageHeaders } = PAGE_HEADERS
  const base = failed.baseUrl(failed.request)
  const frame = failed.frame(base)
  return {
    status,
    type: type ?? '',
    body: renderPage(describePage(rendered, failed, base, frame), frame),
    headers: {
      ...headers,
      ...pageHeaders,
      // Other pages are of services that negotiate formats and send headers for that themselves.
      ...(isNavigation(failed.request) && {
        'cache-control': 'no-store',
        vary: addToVary(headers.vary, 'Accept', 'Sec-Fetch-Mode')
      })
    }
  }
}

function addToVary(vary: string | undefined, ...names: string[]): string {
  const listed = vary?.split(',').map((name) => name.trim()) ?? []
  const known = new Set(listed.map((name) => name.toLowerCase()))
  return [...listed, ...names.filter((name) => !known.has(name.toLowerCase()))].join(', ')
}

function describePage(
  { status, body, explanation }: Explained,
  { name, pagePath, url }: FailedRequest,
  base: string,
  frame: Frame
): Page {
  const start = base + pagePath
  const title = TITLES[status] ?? STATUS_CODES[status] ?? 'Error'
  return {
    title,
    heading: html`<p class="status large s${Math.floor(status / 100)}">${status}</p><h1>${title}</h1>`,
    crumbs: [{ text: name, href: start }, { text: String(status) }],
    main: html`${renderExplanation(explanation, title)}
<p>${nextStep(status)}</p>
<p class="pages"><a class="button" href="${start}">${startText(name)}</a>
${frame.console !== undefined && frame.service !== undefined && html`<a class="quiet" href="${frame.console}/">${TEXTS.console}</a>`}
${explanation.links?.map(({ href, text }) => html`<a href="${href}">${text}</a> `)}</p>
<h2>${TEXTS.forPrograms}</h2>
<p>${TEXTS.sameNote}</p>
${codeBlock(curlCommand(base + toOriginForm(url)), 'shell')}
${renderBody(body)}`
  }
}

/** A message that only repeats the title says nothing. */
function renderExplanation({ message, code }: ErrorExplanation, title: string): Markup | false {
  if (message === title && code === undefined) return false
  return html`<div class="note" role="alert"><p class="prose">${message}</p>
${code !== undefined && html`<p class="small soft">Code: <code>${code}</code></p>`}</div>`
}

function startText(name: string): string {
  return `Start page of ${name === 'console' ? 'the console' : name}`
}

function nextStep(status: number): string {
  if (status === 404 || status === 410) return NEXT.unknown
  if (status === 429 || status === 503) return NEXT.busy
  return status >= 500 ? NEXT.broken : NEXT.other
}

/** Brackets and braces have a meaning for curl unless it is told otherwise. */
function curlCommand(url: string): string {
  const flags = /[[\]{}]/.test(url) ? '-ig' : '-i'
  return `curl ${flags} '${url.replaceAll("'", String.raw`'\''`)}'`
}

function renderBody(body: ErrorResponse['body']): Markup {
  return jsonBlock(typeof body === 'string' ? body : Buffer.from(body).toString())
}
