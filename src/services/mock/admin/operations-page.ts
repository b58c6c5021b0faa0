import { html } from '../../../kernel/html.ts'
import { requestLine } from '../../../kernel/page-parts.ts'
import type { Documents } from '../documents.ts'
import { describeOperations } from '../mocked-operation.ts'
import { summarise } from '../report/summary.ts'
import { type AdminPage, figure, number, numbers, table } from './page.ts'

const TEXTS = {
  lead: 'The mocked operations, each with a URL to try.',
  table: 'Operations',
  failing: 'The latest version is not served:'
}

export function operationsPage(documents: Documents, base: string): AdminPage {
  const { coverage } = documents
  const { operations, covered, calls, violations, strays } = summarise(coverage)
  const { failure: error } = documents.state()
  const counted = coverage.list()
  return {
    tab: 'operations',
    title: documents
      .apis()
      .map(({ api }) => api.title)
      .join(', '),
    main: html`<p class="lead">${TEXTS.lead}</p>
${error !== undefined && html`<p class="note">${TEXTS.failing} ${error}</p>`}
<dl class="figures">
${figure('Operations called', covered, `of ${operations}`)}
${figure('Calls', calls)}
${figure('Violations', violations)}
${figure('Unmatched requests', strays)}
</dl>
${table(
  TEXTS.table,
  ['Operation', 'Summary', 'Try it', numbers('Calls')],
  html`<tbody>${describeOperations(documents, base).map(
    ({ method, path, summary, operationId, url }, index) => html`<tr>
<th scope="row">${requestLine(method, path)}</th>
<td>${summary ?? operationId ?? ''}</td>
<td>${method === 'GET' ? html`<a href="${url}"><code>${url.slice(base.length)}</code></a>` : html`<code>${url.slice(base.length)}</code>`}</td>
${number(counted[index]?.calls ?? 0, 'calls')}
</tr>`
  )}</tbody>`,
  { stacks: true }
)}`
  }
}
