import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify'
import { formAction } from '../../../kernel/form-token.ts'
import { isForwarded } from '../../../kernel/forwarded.ts'
import { html, type Markup } from '../../../kernel/html.ts'
import {
  emptyState,
  jsonBlock,
  methodBadge,
  requestLine,
  statusFigure
} from '../../../kernel/page-parts.ts'
import { makeRequestTo, type OutgoingCall } from '../callbacks/request-to.ts'
import type { Documents } from '../documents.ts'
import { declaredExamples } from '../response/content-value.ts'
import { EXAMPLE_CHOICE, OWN_CHOICE, readCall, readForm } from '../webhooks/call.ts'
import {
  listWebhooks,
  sendWebhook,
  type Webhook,
  type WebhookOutcome
} from '../webhooks/webhooks.ts'
import { queryOf } from './coverage.ts'
import { OWN_CODES } from './errors.ts'
import { type AdminPage, sendPage, table, wantsPage } from './page.ts'
import { fittingRows, pageLinks, pageOf, restNote } from './paging.ts'

const TEXTS = {
  lead: 'The webhooks that the documents define. Send one to your receiver.',
  none: 'The documents define no webhooks.',
  noneNext: 'Add them under webhooks in an OpenAPI 3.1 document to send them from here.',
  failed: 'Not sent:',
  url: 'URL of the receiver',
  bodies: 'Body to send',
  generated: 'generated',
  own: 'your own',
  body: 'JSON body to send',
  noValue: 'No body can be generated for this schema.',
  unchecked: 'Send it even if it violates the document',
  send: 'Send',
  again: 'Send another',
  sound: 'The request and the response comply with the document.'
}

type Named = FastifyRequest<{ Params: { name: string } }>

/** Routes that list the webhooks of the documents and send them. */
export function webhookRoutes(app: FastifyInstance, documents: Documents): void {
  app.get('/__nonet/webhooks', async (request, reply) => {
    const page = wantsPage(request) ? await webhooksPage(documents, request) : undefined
    if (page !== undefined) return sendPage(reply, page)
    const webhooks = listWebhooks(documents).map(describeWebhook)
    return reply
      .header('vary', 'accept')
      .type('application/json')
      .send(JSON.stringify({ webhooks }))
  })
  app.post('/__nonet/webhooks/:name', async (request: Named, reply) => {
    const { name } = request.params
    const forwarded = isForwarded(request.raw)
    if (!wantsPage(request)) {
      const outcome = await sendWebhook(documents, name, readCall(request.body), forwarded)
      return reply.type('application/json').send(JSON.stringify(outcome))
    }
    try {
      const outcome = await sendWebhook(documents, name, readForm(request.body), forwarded)
      return sendPage(reply, outcomePage(name, outcome))
    } catch (error) {
      const problem = error as FastifyError
      if (!OWN_CODES.includes(problem.code)) throw error
      const page = await webhooksPage(documents, request, problem)
      return sendPage(reply.code(problem.statusCode ?? 500), page)
    }
  })
}

function describeWebhook({ served, operation }: Webhook) {
  return {
    name: operation.path,
    method: operation.method,
    operationId: operation.id ?? null,
    summary: operation.summary ?? null,
    document: served.label,
    examples: examplesOf({ served, operation }),
    statuses: operation.responses.map(({ code }) => code)
  }
}

function examplesOf({ served, operation }: Webhook): string[] {
  const media = operation.requestBody?.contents[0]
  return media === undefined ? [] : declaredExamples(served, media).map(({ key }) => key)
}

const PAGE_SIZE = 10

async function webhooksPage(
  documents: Documents,
  request: FastifyRequest,
  error?: FastifyError
): Promise<AdminPage> {
  const query = new URLSearchParams(queryOf(request))
  const page = pageOf(listWebhooks(documents), query.get('page'), PAGE_SIZE)
  const forms: Markup[] = []
  for (const [index, webhook] of page.shown.entries()) {
    forms.push(renderForm(webhook, request, await bodiesOf(documents, webhook), index))
  }
  const { rows, rest } = fittingRows(forms, (form) => form)
  return {
    tab: 'webhooks',
    main: html`<p class="lead">${TEXTS.lead}</p>
${error !== undefined && renderError(error)}
${page.total === 0 && emptyState(TEXTS.none, TEXTS.noneNext)}
${rows}${restNote(rest, '')}
${pageLinks('/__nonet/webhooks', query, page)}`
  }
}

interface ExampleBody {
  label: string
  choice: string
  text: string | undefined
}

const MAX_BODY = 4000
const MAX_EXAMPLES = 8

/** The bodies that can be sent, as they will be sent but indented. */
async function bodiesOf(documents: Documents, webhook: Webhook): Promise<ExampleBody[]> {
  const { served, operation } = webhook
  if (operation.requestBody === undefined) return []
  const { options } = documents.engine()
  const names = [...examplesOf(webhook).slice(0, MAX_EXAMPLES), undefined]
  const bodies: ExampleBody[] = []
  for (const example of names) {
    if (example === undefined && names.length > 1) continue
    bodies.push({
      label: example ?? TEXTS.generated,
      choice: example === undefined ? TEXTS.generated : EXAMPLE_CHOICE + example,
      text: await textOf(() => makeRequestTo('', served, operation, options, { example }))
    })
  }
  return bodies
}

async function textOf(make: () => Promise<OutgoingCall>): Promise<string | undefined> {
  try {
    const { body } = await make()
    return body === undefined || body.length <= MAX_BODY ? body : `${body.slice(0, MAX_BODY)}…`
  } catch {
    // The form stays usable: sending it says what is wrong.
    return undefined
  }
}

function renderError({ message, validation = [] }: FastifyError): Markup {
  return html`<div class="note" role="alert"><p>${TEXTS.failed} ${message}</p>
<ul>${validation.map(({ message: text }) => html`<li>${text}</li>`)}</ul></div>`
}

function renderForm(
  webhook: Webhook,
  request: FastifyRequest,
  bodies: readonly ExampleBody[],
  index: number
): Markup {
  const { name, method, summary, document } = describeWebhook(webhook)
  const path = `/__nonet/webhooks/${encodeURIComponent(name.toWellFormed())}`
  return html`<section class="part">
<h2>${requestLine(method, name)} <span class="soft">${summary ?? ''}</span></h2>
<form class="fill" method="post" action="${formAction(request, path)}">
<input type="hidden" name="method" value="${method}"><input type="hidden" name="document" value="${document}">
<label>${TEXTS.url}<input name="url" type="url" required placeholder="http://127.0.0.1:3000/hook"></label>
${bodies.length > 0 && renderBodies(bodies, `body-${index}`)}
<div class="choices"><label><input type="checkbox" name="unchecked" value="yes">${TEXTS.unchecked}</label></div>
<button>${TEXTS.send}<span class="hidden"> ${name}</span></button>
</form>
</section>`
}

/** Each body is shown before it is sent; the last tab has a field for another one. */
function renderBodies(bodies: readonly ExampleBody[], id: string): Markup {
  const tab = (key: string, choice: string, label: string, isFirst: boolean, shown: Markup) =>
    html`<input type="radio" name="choice" value="${choice}" id="${key}"${isFirst && html` checked`}><label for="${key}">${label}</label><div>${shown}</div>`
  const rows = 6
  return html`<div class="views" role="group" aria-label="${TEXTS.bodies}">${bodies.map(
    ({ label, choice, text }, index) =>
      tab(
        `${id}-${index}`,
        choice,
        label,
        index === 0,
        text === undefined
          ? html`<p class="soft">${TEXTS.noValue}</p>`
          : jsonBlock(text, `${TEXTS.bodies}: ${label}`)
      )
  )}${tab(`${id}-own`, OWN_CHOICE, TEXTS.own, false, html`<label>${TEXTS.body}<textarea name="body" rows="${rows}" spellcheck="false" class="code"></textarea></label>`)}</div>`
}

function outcomePage(
  name: string,
  { sent, reply, violations, milliseconds }: WebhookOutcome
): AdminPage {
  return {
    tab: 'webhooks',
    title: `${name}: ${reply.status}`,
    main: html`<p class="lead">${methodBadge(sent.method)} <code>${sent.url}</code>: response ${statusFigure(reply.status)} after ${milliseconds} ms.</p>
${
  violations.length === 0
    ? html`<p>${TEXTS.sound}</p>`
    : table(
        'Violations',
        ['Location', 'Violation'],
        html`<tbody>${violations.map(({ location, message }) => html`<tr><td><code>${location.join('.')}</code></td><td>${message}</td></tr>`)}</tbody>`
      )
}
<h2>Sent</h2>
${renderMessage(sent.headers, sent.body, 'Sent')}
<h2>Response</h2>
${renderMessage(reply.headers, reply.body, 'Response')}
<p><a href="/__nonet/webhooks">${TEXTS.again}</a></p>`
  }
}

function renderMessage(headers: Record<string, string>, body: string | undefined, label: string) {
  const rows = Object.entries(headers).map(
    ([name, value]) => html`<tr><th scope="row"><code>${name}</code></th><td>${value}</td></tr>`
  )
  return html`${rows.length > 0 && table(`${label}: headers`, ['Header', 'Value'], html`<tbody>${rows}</tbody>`)}
${body !== undefined && body !== '' && jsonBlock(body, `${label}: body`)}`
}
