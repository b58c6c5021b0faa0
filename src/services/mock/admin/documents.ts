import type { FastifyInstance, FastifyReply } from 'fastify'
import { html, type Markup } from '../../../kernel/html.ts'
import { time } from '../../../kernel/page-parts.ts'
import type { Finding } from '../../../kernel/service.ts'
import { toExact, writeJson } from '../document/exact-integers.ts'
import type { JsonObject } from '../document/json.ts'
import type { Documents } from '../documents.ts'
import type { ServedApi } from '../served-api.ts'
import { DocumentNotFound } from './errors.ts'
import { type AdminPage, countCell, numbers, sendPageOrJson, table } from './page.ts'
import { fittingRows, restNote } from './paging.ts'

const TEXTS = {
  lead: 'The documents being served, as last loaded.',
  failing: 'The latest version is not served:',
  table: 'Documents',
  findings: 'Findings',
  sound: 'No problems found.',
  watched: 'Changed files are reloaded automatically.',
  unwatched: 'Changed files are not reloaded.',
  asJson: 'All of them are in the JSON of this URL.'
}

/**
 * Routes for the documents as served (version 3.1, references inlined) and for their reload status.
 */
export function documentRoutes(app: FastifyInstance, documents: Documents): void {
  app.get('/__nonet/documents', (request, reply) => {
    return sendPageOrJson(
      request,
      reply,
      () => describeDocuments(documents),
      () => documentsPage(documents)
    )
  })
  app.get('/__nonet/reload', () => describeReload(documents))
  app.get('/__nonet/document.json', (_request, reply) => sendJson(reply, find(documents, '1')))
  app.get('/__nonet/document.yaml', (_request, reply) => sendYaml(reply, find(documents, '1')))
  app.get<{ Params: { file: string } }>('/__nonet/documents/:file', (request, reply) => {
    const [, key = '', format] = /^(.*)\.(json|yaml)$/s.exec(request.params.file) ?? []
    const document = find(documents, format === undefined ? request.params.file : key)
    return format === 'yaml' ? sendYaml(reply, document) : sendJson(reply, document)
  })
}

/** Key of a document in URLs: its name, or its number if it has no name. */
function keyOf({ name }: ServedApi, index: number): string {
  return name ?? String(index + 1)
}

function find(documents: Documents, key: string): JsonObject {
  const apis = documents.apis()
  const found = apis.find((served, index) => keyOf(served, index) === key) ?? apis[Number(key) - 1]
  if (found === undefined) throw new DocumentNotFound(key, apis.map(keyOf).join(', '))
  return found.document
}

function sendJson(reply: FastifyReply, document: JsonObject) {
  return reply.type('application/json').send(writeJson(document, 2))
}

async function sendYaml(reply: FastifyReply, document: JsonObject) {
  const { stringify } = await import('yaml')
  const text = stringify(document, toExact, { aliasDuplicateObjects: false, lineWidth: 100 })
  // Sent as bytes, because Fastify adds a charset to the type of a string.
  return reply.type('application/yaml').send(Buffer.from(text))
}

function describeReload(documents: Documents) {
  const { loadedAt, reloads, failure: error } = documents.state()
  return {
    watched: documents.watched,
    loadedAt: loadedAt.toISOString(),
    reloads,
    failure: error ?? null,
    findings: documents.findings()
  }
}

function describeDocuments(documents: Documents) {
  return {
    ...describeReload(documents),
    documents: documents.apis().map((served, index) => {
      const key = encodeURIComponent(keyOf(served, index))
      return {
        name: served.name ?? null,
        source: served.label,
        title: served.api.title,
        operations: served.api.operations.length,
        webhooks: served.api.webhooks.length,
        json: `/__nonet/documents/${key}.json`,
        yaml: `/__nonet/documents/${key}.yaml`
      }
    })
  }
}

/** Bytes for the documents; the findings have the rest of the page. */
const MAX_DOCUMENT_BYTES = 20 * 1024
const MAX_FINDING_BYTES = 40 * 1024

function documentsPage(documents: Documents): AdminPage {
  const {
    documents: all,
    loadedAt,
    reloads,
    failure,
    watched,
    findings
  } = describeDocuments(documents)
  const list = fittingRows(
    all,
    ({ title, source, operations, webhooks, json, yaml }) => html`<tr>
<th scope="row">${title}</th><td><code>${source}</code></td>
${countCell(operations, 'operation')}${countCell(webhooks, 'webhook')}
<td><a href="${json}">JSON<span class="hidden"> of ${title}</span></a> <a href="${yaml}">YAML<span class="hidden"> of ${title}</span></a></td>
</tr>`,
    MAX_DOCUMENT_BYTES
  )
  return {
    tab: 'documents',
    main: html`<p class="lead">${TEXTS.lead}</p>
${failure !== null && html`<p class="note">${TEXTS.failing} ${failure}</p>`}
<p>Loaded at ${time(loadedAt)}${reloads > 0 && `, loaded ${reloads + 1} times`}. ${watched ? TEXTS.watched : TEXTS.unwatched}</p>
${table(
  TEXTS.table,
  ['Title', 'Source', numbers('Operations'), numbers('Webhooks'), 'Served document'],
  html`<tbody>${list.rows}</tbody>`,
  { stacks: true }
)}${restNote(list.rest, TEXTS.asJson)}
<h2>${TEXTS.findings}</h2>
${findings.length === 0 ? html`<p>${TEXTS.sound}</p>` : renderFindings(findings)}`
  }
}

function renderFindings(findings: readonly Finding[]): Markup {
  const { rows, rest } = fittingRows(
    findings,
    ({ level, where, text }) =>
      html`<tr><th scope="row"><code>${where}</code></th><td>${level}: ${text}</td></tr>`,
    MAX_FINDING_BYTES
  )
  return html`${table(TEXTS.findings, ['Location', 'Problem'], html`<tbody>${rows}</tbody>`, { stacks: true })}
${restNote(rest, TEXTS.asJson)}`
}
