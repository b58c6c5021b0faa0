import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { formAction } from '../../../kernel/form-token.ts'
import { html, type Markup } from '../../../kernel/html.ts'
import { askFirst } from '../../../kernel/page-parts.ts'
import type { Violation } from '../coverage/coverage.ts'
import { coverageView, strayTable, violationTable } from '../coverage/view.ts'
import type { Documents } from '../documents.ts'
import type { Journal } from '../journal/journal.ts'
import { jsonReport } from '../report/json.ts'
import { type AdminPage, done, sendPageOrJson } from './page.ts'
import { pageLinks, pageOf } from './paging.ts'

const TEXTS = {
  all: 'Everything',
  never: 'Only never seen',
  json: 'As JSON',
  reset: 'Reset the counts',
  resetQuestion: 'Set all counts to zero?',
  resetButton: 'Reset',
  violations: 'Requests and responses that violate the document, including warnings, latest first.',
  moreViolations: 'They are on the page Violations.',
  moreStrays: 'The journal has the latest of them: choose the operation none.',
  asJson: 'All of them are in the JSON of this URL.',
  strays: 'Requests without a matching operation'
}

/** Routes for coverage and violations since the start or the last reset. */
export function coverageRoutes(app: FastifyInstance, documents: Documents): void {
  const { coverage } = documents

  function reset(request: FastifyRequest, reply: FastifyReply) {
    coverage.reset()
    return done(request, reply, 'coverage')
  }

  app.get('/__nonet/coverage', (request, reply) => {
    return sendPageOrJson(
      request,
      reply,
      () => jsonReport(coverage),
      () => {
        const query = new URLSearchParams(queryOf(request))
        return coveragePage(documents, query, formAction(request, '/__nonet/coverage/reset'))
      }
    )
  })
  app.delete('/__nonet/coverage', reset)
  app.post('/__nonet/coverage/reset', reset)
  app.get('/__nonet/violations', (request, reply) => {
    return sendPageOrJson(
      request,
      reply,
      () => describeViolations(documents),
      () => violationsPage(documents, new URLSearchParams(queryOf(request)))
    )
  })
}

export function queryOf({ url }: FastifyRequest): string {
  const mark = url.indexOf('?')
  return mark === -1 ? '' : url.slice(mark + 1)
}

const PAGE_SIZE = 40
const PATH = '/__nonet/coverage'
/** Bytes of the list of a page, and of one of the tables below it. */
const MAX_LIST_BYTES = 40 * 1024
const MAX_TABLE_BYTES = 12 * 1024

function coveragePage(
  { coverage, journal }: Documents,
  query: URLSearchParams,
  resetUrl: string
): AdminPage {
  const onlyNever = query.get('show') === 'never'
  return {
    tab: 'coverage',
    main: coverageView(coverage, {
      onlyNever,
      choices: choices(onlyNever, resetUrl),
      maxBytes: MAX_LIST_BYTES,
      select(entries) {
        const page = pageOf(entries, query.get('page'), PAGE_SIZE)
        return { shown: page.shown, links: pageLinks(PATH, query, page) }
      },
      violations: {
        hrefOf: entryLink(journal),
        maxBytes: MAX_TABLE_BYTES,
        rest: TEXTS.moreViolations
      }
    })
  }
}

/** URL of the journal entry of a violation, as long as the journal has it. */
function entryLink(journal: Journal): (violation: Violation) => string | undefined {
  return ({ entry }) =>
    entry === undefined || journal.find(entry) === undefined
      ? undefined
      : `/__nonet/journal/${entry}`
}

function choices(onlyNever: boolean, resetUrl: string): Markup {
  const link = (href: string, text: string, current: boolean) =>
    html`<a href="${href}"${current && html` aria-current="true"`}>${text}</a>`
  const confirm = html`<form method="post" action="${resetUrl}"><button class="danger">${TEXTS.resetButton}</button></form>`
  return html`<div class="bar pages">
${link('/__nonet/coverage', TEXTS.all, !onlyNever)}
${link('/__nonet/coverage?show=never', TEXTS.never, onlyNever)}
${askFirst(TEXTS.reset, TEXTS.resetQuestion, confirm)}
</div>`
}

/** Violations, each with its operation, and requests without a matching operation. */
function describeViolations({ coverage }: Documents): object {
  return {
    violations: coverage.list().flatMap(({ operation, document, violations }) =>
      violations.map((violation) => ({
        ...violation,
        operation: {
          method: operation.method,
          path: operation.path,
          operationId: operation.id ?? null,
          document
        }
      }))
    ),
    strayRequests: coverage.strays()
  }
}

const VIOLATIONS_PAGE = 100

/** Latest first; each leads to its journal entry. */
function violationsPage({ coverage, journal }: Documents, query: URLSearchParams): AdminPage {
  const all = coverage
    .list()
    .flatMap(({ violations }) => violations)
    .sort((one, other) => (other.entry ?? 0) - (one.entry ?? 0))
  const page = pageOf(all, query.get('page'), VIOLATIONS_PAGE)
  const options = { hrefOf: entryLink(journal), rest: TEXTS.asJson }
  return {
    tab: 'violations',
    script: '/__nonet/assets/live-page.js',
    main: html`<p class="lead">${TEXTS.violations} <span id="live" class="soft" role="status"></span></p>
<div data-live="violations">${violationTable(page.shown, 'Violations', { ...options, maxBytes: MAX_LIST_BYTES })}
${pageLinks('/__nonet/violations', query, page)}</div>
<h2>${TEXTS.strays}</h2>
<div data-live="strays">${strayTable(coverage, { ...options, maxBytes: MAX_TABLE_BYTES, rest: TEXTS.moreStrays })}</div>`
  }
}
