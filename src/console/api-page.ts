import { html, type Markup } from '../kernel/html.ts'
import { type Json, memberOf } from '../kernel/json.ts'
import type { Page } from '../kernel/page.ts'
import { address, codeBlock, methodBadge, statusFigure } from '../kernel/page-parts.ts'
import {
  type ApiResponse,
  type Content,
  type Operation,
  operationsOf,
  type Parameter
} from './operations.ts'
import { servicePage } from './service-page.ts'
import type { ServiceView } from './service-view.ts'

/** Longer documents are shown without colours, because each coloured word is an element. */
const MAX_COLOURED = 30_000

/** The OpenAPI document of a service: its operations, and the document itself. */
export function apiPage(service: ServiceView, document: object): Page {
  const { name, url, schema } = service
  const operations = operationsOf(document as Json)
  return servicePage(service, 'API', {
    title: `API of ${name}`,
    main: html`${address(url)}
<ul class="links bar">
<li>${operations.length} ${operations.length === 1 ? 'operation' : 'operations'}</li>
<li><a href="/openapi/${name}.json" download="${name}.json">Download OpenAPI ${versionOf(document as Json)}</a></li>
${schema !== undefined && html`<li><a href="${schema}">Schema<span class="hidden"> of ${name}</span></a></li>`}
</ul>
<div class="operations">
${operations.map(renderOperation)}
</div>
<h2>Document</h2>
${renderDocument(document)}`
  })
}

function versionOf(document: Json): string {
  const version = memberOf(document, 'openapi')
  return typeof version === 'string' ? version : ''
}

function renderDocument(document: object): Markup {
  const text = JSON.stringify(document, null, 2)
  const language = text.length > MAX_COLOURED ? 'plain' : 'json'
  return html`<details><summary>Show the OpenAPI document</summary>${codeBlock(text, language)}</details>`
}

/** A link to the anchor opens the operation, because the anchor is inside. */
function renderOperation(operation: Operation): Markup {
  const { id, method, path, summary, description, parameters, body, responses } = operation
  return html`<details class="operation">
<summary class="operation-head">${methodBadge(method)} <code class="operation-path">${path}</code> <span class="soft">${summary}</span></summary>
<div class="operation-body" id="${id}">
${description !== '' && description !== summary && html`<p class="prose">${description}</p>`}
${parameters.length > 0 && renderParameters(parameters)}
${body.length > 0 && html`<h3>Request body</h3><ul class="links">${body.map(renderContent)}</ul>`}
${responses.length > 0 && renderResponses(responses)}
<p class="small"><a href="#${id}">Link to this operation</a></p>
</div>
</details>`
}

function renderParameters(parameters: readonly Parameter[]): Markup {
  return html`<h3>Parameters</h3>
<div class="wide" tabindex="0" role="region" aria-label="Parameters"><table>
<thead><tr><th scope="col">Name</th><th scope="col">In</th><th scope="col">Type</th><th scope="col">Description</th></tr></thead>
<tbody>${parameters.map(renderParameter)}</tbody>
</table></div>`
}

function renderParameter({ name, location, isRequired, type, description }: Parameter): Markup {
  return html`<tr><th scope="row" class="fit"><code>${name}</code></th><td class="fit">${location}${isRequired && ', required'}</td><td><code>${type}</code></td><td>${description}</td></tr>`
}

/** Responses that differ only in their status are one entry. */
function renderResponses(responses: readonly ApiResponse[]): Markup {
  const groups = Map.groupBy(responses, ({ status: _status, ...rest }) => JSON.stringify(rest))
  return html`<h3>Responses</h3>
<dl class="parts">${[...groups.values()].map(renderResponseGroup)}</dl>`
}

function renderResponseGroup(group: readonly ApiResponse[]): Markup {
  const [first] = group
  return html`<dt>${group.map(({ status }) => html`${renderStatus(status)} `)}</dt><dd>${first?.description}<ul>${first?.content.map(renderContent)}</ul></dd>`
}

function renderStatus(status: string): Markup {
  return /^\d{3}$/.test(status) ? statusFigure(Number(status)) : html`<code>${status}</code>`
}

function renderContent({ mediaType, type }: Content): Markup {
  return html`<li><code>${mediaType}</code>${type !== '' && html` <code class="soft">${type}</code>`}</li>`
}
