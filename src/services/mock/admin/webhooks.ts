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
import type { Documents } from '../documents.ts'
import { declaredExamples } from '../response/content-value.ts'
import { readCall, readForm } from '../webhooks/call.ts'
import {
  listWebhooks,
  sendWebhook,
  type Webhook,
  type WebhookOutcome
} from '../webhooks/webhooks.ts'
import { OWN_CODES } from './errors.ts'
import { type AdminPage, sendPage, sendPageOrJson, table, wantsPage } from './page.ts'

const TEXTS = {
  lead: 'The webhooks that the documents define. Send one to your receiver.',
  none: 'The documents define no webhooks.',
  noneNext: 'Add them under webhooks in an OpenAPI 3.1 document to send them from here.',
  failed: 'Not sent:',
  url: 'URL of the receiver',
  example: 'Example',
  made: 'first example, or generated',
  body: 'JSON body to send instead of the example',
  unchecked: 'Send it even if it violates the document',
  send: 'Send',
  again: 'Send another',
  sound: 'The request and the response comply with the document.'
}

type Named = FastifyRequest<{ Params: { name: string } }>

/** Routes that list the webhooks of the documents and send them. */
export function webhookRoutes(app: FastifyInstance, documents: Documents): void {
  app.get('/__nonet/webhooks', (request, reply) => {
    return sendPageOrJson(
      request,
      reply,
      () => ({ webhooks: listWebhooks(documents).map(describeWebhook) }),
      () => webhooksPage(documents, request)
    )
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
      const page = webhooksPage(documents, request, problem)
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

function webhooksPage(
  documents: Documents,
  request: FastifyRequest,
  error?: FastifyError
): AdminPage {
  const all = listWebhooks(documents)
  return {
    tab: 'webhooks',
    main: html`<p class="lead">${TEXTS.lead}</p>
${error !== undefined && renderError(error)}
${all.length === 0 && emptyState(TEXTS.none, TEXTS.noneNext)}
${all.map((webhook) => renderForm(webhook, request))}`
  }
}

function renderError({ message, validation = [] }: FastifyError): Markup {
  return html`<div class="note" role="alert"><p>${TEXTS.failed} ${message}</p>
<ul>${validation.map(({ message: text }) => html`<li>${text}</li>`)}</ul></div>`
}

function renderForm(webhook: Webhook, request: FastifyRequest): Markup {
  const { name, method, summary, document, examples } = describeWebhook(webhook)
  const path = `/__nonet/webhooks/${encodeURIComponent(name.toWellFormed())}`
  return html`<section class="part">
<h2>${requestLine(method, name)} <span class="soft">${summary ?? ''}</span></h2>
<form class="fill" method="post" action="${formAction(request, path)}">
<input type="hidden" name="method" value="${method}"><input type="hidden" name="document" value="${document}">
<label>${TEXTS.url}<input name="url" type="url" required placeholder="http://127.0.0.1:3000/hook"></label>
${examples.length > 0 && html`<label>${TEXTS.example}<select name="example"><option value="">${TEXTS.made}</option>${examples.map((key) => html`<option>${key}</option>`)}</select></label>`}
${webhook.operation.requestBody !== undefined && html`<label>${TEXTS.body}<textarea name="body" rows="4" spellcheck="false" class="code"></textarea></label>`}
<div class="choices"><label><input type="checkbox" name="unchecked" value="yes">${TEXTS.unchecked}</label></div>
<button>${TEXTS.send}<span class="hidden"> ${name}</span></button>
</form>
</section>`
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
