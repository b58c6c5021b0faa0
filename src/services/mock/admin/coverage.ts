import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { formAction } from '../../../kernel/form-token.ts'
import { html, type Markup } from '../../../kernel/html.ts'
import { askFirst } from '../../../kernel/page-parts.ts'
import { coverageView, strayTable, violationTable } from '../coverage/view.ts'
import type { Documents } from '../documents.ts'
import { jsonReport } from '../report/json.ts'
import { type AdminPage, done, sendPageOrJson } from './page.ts'

const TEXTS = {
  all: 'Everything',
  never: 'Only never seen',
  json: 'As JSON',
  reset: 'Reset the counts',
  resetQuestion: 'Set all counts to zero?',
  resetButton: 'Reset',
  violations: 'Requests and responses that violate the document, including warnings.',
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
        const onlyNever = new URLSearchParams(queryOf(request)).get('show') === 'never'
        return coveragePage(documents, onlyNever, formAction(request, '/__nonet/coverage/reset'))
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
      () => violationsPage(documents)
    )
  })
}

export function queryOf({ url }: FastifyRequest): string {
  const mark = url.indexOf('?')
  return mark === -1 ? '' : url.slice(mark + 1)
}

function coveragePage({ coverage }: Documents, onlyNever: boolean, resetUrl: string): AdminPage {
  return {
    tab: 'coverage',
    main: coverageView(coverage, { onlyNever, choices: choices(onlyNever, resetUrl) })
  }
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

function violationsPage({ coverage }: Documents): AdminPage {
  const all = coverage.list().flatMap(({ violations }) => violations)
  return {
    tab: 'violations',
    main: html`<p class="lead">${TEXTS.violations}</p>
${violationTable(all, 'Violations')}
<h2>${TEXTS.strays}</h2>
${strayTable(coverage)}`
  }
}
