import { html, type Markup } from '../../../../kernel/html.ts'
import type { AdminPage } from '../page.ts'
import type { EditableRequest } from './resend.ts'
import { resultPanel } from './result.ts'
import type { SentEntry } from './send.ts'

const TEXTS = {
  any: 'Send a request',
  lead: 'It is sent to this mock only, as if a client had sent it.',
  request: 'Request',
  send: 'Send',
  rejected: 'Not sent:',
  forwards: 'The mock forwards this request to',
  method: 'Method',
  target: 'Path and query',
  headers: 'Headers, one per line',
  body: 'Body',
  base64: 'Body, as base64',
  hidden: 'Hidden credentials (***) are sent as they were recorded.',
  cut: 'The journal has only the beginning of the body.'
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']

export interface EditorView {
  request: EditableRequest
  action: string
  /** Number of the entry that is changed; undefined for a new request. */
  entry: number | undefined
  isCut?: boolean
  upstream: string | undefined
  sent?: SentEntry | undefined
  error?: string | undefined
}

/** A request as plain text, new or from the journal. */
export function editorPage(view: EditorView): AdminPage {
  const { entry, sent } = view
  return {
    tab: entry === undefined ? 'operations' : 'journal',
    title: entry === undefined ? TEXTS.any : `Change request ${entry}`,
    script: '/__nonet/assets/try-form.js',
    main: html`<p class="lead">${TEXTS.lead}</p>
<div class="columns">
${renderRequest(view)}
${resultPanel(sent)}
</div>`
  }
}

function renderRequest(view: EditorView): Markup {
  const { request, action, entry, error, upstream, isCut } = view
  const { method, target, headers, body, encoding } = request
  const methods = METHODS.includes(method) ? METHODS : [method, ...METHODS]
  const isHidden =
    entry !== undefined && [target, headers, body].some((text) => text.includes('***'))
  return html`<section class="panel" aria-labelledby="request-title">
<header><h2 class="panel-title" id="request-title">${TEXTS.request}</h2><button form="request">${TEXTS.send}</button></header>
${error !== undefined && html`<p class="note" role="alert">${TEXTS.rejected} ${error}</p>`}
${upstream !== undefined && html`<p class="note">${TEXTS.forwards} ${upstream}.</p>`}
${isHidden && html`<p class="note">${TEXTS.hidden}</p>`}
${isCut === true && html`<p class="note">${TEXTS.cut}</p>`}
<form id="request" class="fill" method="post" action="${action}#response">
${entry !== undefined && html`<input type="hidden" name="entry" value="${entry}">`}<input type="hidden" name="encoding" value="${encoding}">
<label>${TEXTS.method}<select name="method">${methods.map((one) => html`<option${one === method && html` selected`}>${one}</option>`)}</select></label>
<label>${TEXTS.target}<input name="target" value="${target}" class="code" autocomplete="off" spellcheck="false"></label>
<label>${TEXTS.headers}<textarea name="headers" rows="${rowsOf(headers, 4)}" class="code" spellcheck="false">
${headers}</textarea></label>
<label>${encoding === 'base64' ? TEXTS.base64 : TEXTS.body}<textarea name="body" rows="${rowsOf(body, 6)}" class="code" spellcheck="false">
${body}</textarea></label>
<p><button>${TEXTS.send}</button></p>
</form>
</section>`
}

function rowsOf(text: string, least: number): number {
  return Math.min(Math.max(text.split('\n').length + 1, least), 24)
}
