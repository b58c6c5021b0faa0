import { html, type Markup, renderPage } from '../../../kernel/page.ts'
import type { Coverage, OperationCoverage, Violation } from '../coverage.ts'
import { errorsOf, summarise } from './summary.ts'

const TEXTS = {
  title: 'Coverage report',
  operations: 'Operations',
  violations: 'Violations',
  strays: 'Requests that met no operation',
  none: 'none'
}

/** A file that opens anywhere: nothing in it is loaded from elsewhere. */
export function reportPage(coverage: Coverage): string {
  const { operations, covered, calls, violations, strays } = summarise(coverage)
  const found = coverage.list().flatMap(errorsOf)
  return renderPage({
    title: TEXTS.title,
    crumbs: [{ text: 'mock' }, { text: TEXTS.title }],
    main: html`<p class="lead">${covered} of ${operations} operations were called, ${calls} calls in all;
${violations} violations, ${strays} requests without an operation.</p>
<h2>${TEXTS.operations}</h2>
${renderOperations(coverage.list())}
<h2>${TEXTS.violations}</h2>
${renderViolations(found, TEXTS.violations)}
<h2>${TEXTS.strays}</h2>
${renderViolations(coverage.strays(), TEXTS.strays)}`
  })
}

function renderOperations(entries: readonly OperationCoverage[]): Markup {
  return html`<div class="table" role="region" aria-label="${TEXTS.operations}" tabindex="0"><table>
<thead><tr><th>Operation</th><th>Calls</th><th>Statuses</th><th>Examples</th><th>Parameters</th></tr></thead>
<tbody>${entries.map(
    ({ operation, calls, statuses, examples, parameters }) => html`<tr>
<th scope="row"><code>${operation.method} ${operation.path}</code></th>
<td>${calls}</td><td>${counts(statuses)}</td><td>${counts(examples)}</td><td>${counts(parameters)}</td>
</tr>`
  )}</tbody>
</table></div>`
}

function counts(all: ReadonlyMap<string, number>): string {
  return [...all].map(([name, count]) => `${name}: ${count}`).join(', ')
}

function renderViolations(violations: readonly Violation[], label: string): Markup {
  if (violations.length === 0) return html`<p>${TEXTS.none}</p>`
  return html`<div class="table" role="region" aria-label="${label}" tabindex="0"><table>
<thead><tr><th>Request</th><th>Status</th><th>Where</th><th>What</th></tr></thead>
<tbody>${violations.map(
    ({ method, path, status, location, message }) => html`<tr>
<td><code>${method} ${path}</code></td><td>${status}</td><td>${location}</td><td>${message}</td>
</tr>`
  )}</tbody>
</table></div>`
}
