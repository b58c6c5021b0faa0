import { html, type Markup } from '../../../kernel/html.ts'
import { emptyState, requestLine, statusFigure } from '../../../kernel/page-parts.ts'
import { fittingRows, restNote } from '../admin/paging.ts'
import { errorsOf, summarise } from '../report/summary.ts'
import type { Coverage, OperationCoverage, Violation } from './coverage.ts'

const TEXTS = {
  operations: 'Operations',
  all: 'The parts of the documents and how often each was seen. Dashed: never.',
  never: 'Never seen',
  complete: 'Every part of the documents was seen.',
  violations: 'Violations',
  strays: 'Requests without a matching operation',
  noViolations: 'No request or response violates the document.',
  noViolationsNext: 'Requests that violate it are listed here with the location and the reason.',
  noStrays: 'All requests match an operation.',
  noStraysNext: 'Requests for other paths or methods are listed here.',
  undocumented: 'not documented'
}

const PARTS = [
  ['statuses', 'Statuses'],
  ['examples', 'Examples'],
  ['parameters', 'Parameters'],
  ['requestTypes', 'Bodies']
] as const

export interface CoverageViewOptions {
  /** Shows only parts that were never seen. */
  onlyNever: boolean
  /** Links that are shown between the statistics and the operations. */
  choices?: Markup
  /** Operations to show of those that would be; all by default. */
  select?: (entries: readonly OperationCoverage[]) => CoverageSelection
  violations?: ViolationTableOptions
  /** Maximum number of bytes of operations. */
  maxBytes?: number
}

export interface CoverageSelection {
  shown: readonly OperationCoverage[]
  /** Links to the others. */
  links: Markup | ''
}

export interface ViolationTableOptions {
  /** URL of the journal entry; undefined if the journal does not have it. */
  hrefOf?: (violation: Violation) => string | undefined
  /** Maximum number of bytes of rows. */
  maxBytes?: number
  /** What to do to see the rows that do not fit. */
  rest?: string
}

/** The coverage as HTML, for the admin page and for the report. */
export function coverageView(coverage: Coverage, options: CoverageViewOptions): Markup {
  const { operations, covered, calls, violations, strays } = summarise(coverage)
  const entries = coverage.list()
  const wanted = options.onlyNever ? entries.filter(hasNever) : entries
  const { shown, links } = options.select?.(wanted) ?? { shown: wanted, links: '' }
  const { rows, rest } = fittingRows(
    shown,
    (entry) => renderEntry(entry, options.onlyNever),
    options.maxBytes ?? Number.POSITIVE_INFINITY
  )
  return html`<p class="lead">Operations called: ${covered} of ${operations}. Calls: ${calls}. Violations: ${violations}.
Requests without a matching operation: ${strays}.</p>
<dl class="figures">
${share('Operations', covered, operations)}
${PARTS.map(([part, name]) => share(name, ...shareOf(entries, part)))}
</dl>
${options.choices ?? ''}
<h2>${options.onlyNever ? TEXTS.never : TEXTS.operations}</h2>
<p class="soft">${options.onlyNever && shown.length === 0 ? TEXTS.complete : TEXTS.all}</p>
${rows}${restNote(rest, '')}
${links}
<h2>${TEXTS.violations}</h2>
${violationTable(entries.flatMap(errorsOf), TEXTS.violations, options.violations)}
<h2>${TEXTS.strays}</h2>
${strayTable(coverage, options.violations)}`
}

function share(name: string, seen: number, all: number): Markup | '' {
  if (all === 0) return ''
  return html`<div><dt>${name}</dt><dd>${seen} <small>of ${all}</small></dd>
<dd><meter min="0" max="${all}" value="${seen}" aria-label="${name} seen">${seen} of ${all}</meter></dd></div>`
}

type Part = (typeof PARTS)[number][0]

function shareOf(entries: readonly OperationCoverage[], part: Part): [number, number] {
  const counts = entries.flatMap((entry) => [...entry[part].values()])
  return [counts.filter((count) => count > 0).length, counts.length]
}

function hasNever(entry: OperationCoverage): boolean {
  return entry.calls === 0 || PARTS.some(([part]) => [...entry[part].values()].includes(0))
}

function renderEntry(entry: OperationCoverage, onlyNever: boolean): Markup {
  const { operation, calls, errors } = entry
  return html`<section class="part">
<h3>${requestLine(operation.method, operation.path)}
${calls === 0 ? html`<span class="bad">never called</span>` : html`<span class="soft">${times(calls, 'call')}</span>`}
${errors > 0 && html`<span class="bad">${times(errors, 'violation')}</span>`}</h3>
<dl class="parts">${PARTS.map(([part, name]) => renderPart(entry, part, name, onlyNever))}</dl>
</section>`
}

function renderPart(entry: OperationCoverage, part: Part, name: string, onlyNever: boolean) {
  const counts = [...entry[part]].filter(([, count]) => !onlyNever || count === 0)
  const extra = part === 'statuses' && !onlyNever ? [...entry.undocumented] : []
  if (counts.length + extra.length === 0) return ''
  return html`<dt>${name}</dt><dd><ul class="chips">
${counts.map(([key, count]) => chip(key, count))}
${extra.map(([status, count]) => html`<li>${status} <span class="soft">×${count}, ${TEXTS.undocumented}</span></li>`)}
</ul></dd>`
}

function chip(key: string, count: number): Markup {
  return count === 0
    ? html`<li class="never">${key}<span class="hidden">, never</span></li>`
    : html`<li>${key} <span class="soft">×${count}</span></li>`
}

function times(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Requests without a matching operation. */
export function strayTable(coverage: Coverage, options?: ViolationTableOptions): Markup {
  const strays = coverage.strays()
  if (strays.length === 0) return emptyState(TEXTS.noStrays, TEXTS.noStraysNext)
  return renderTable(strays, TEXTS.strays, options)
}

export function violationTable(
  violations: readonly Violation[],
  label: string,
  options?: ViolationTableOptions
): Markup {
  if (violations.length === 0) return emptyState(TEXTS.noViolations, TEXTS.noViolationsNext)
  return renderTable(violations, label, options)
}

function renderTable(
  violations: readonly Violation[],
  label: string,
  { hrefOf, maxBytes = Number.POSITIVE_INFINITY, rest: how = '' }: ViolationTableOptions = {}
): Markup {
  const { rows, rest } = fittingRows(
    violations,
    (violation) => renderViolation(violation, hrefOf?.(violation)),
    maxBytes
  )
  return html`<div class="wide stack" role="region" aria-label="${label}" tabindex="0"><table>
<thead><tr><th scope="col">Request</th><th scope="col">Status</th><th scope="col">Location</th><th scope="col">Violation</th></tr></thead>
<tbody>${rows}</tbody>
</table></div>${restNote(rest, how)}`
}

function renderViolation(violation: Violation, href: string | undefined): Markup {
  const { method, path, status, location, message, severity } = violation
  return html`<tr>
<th scope="row">${requestLine(method, shorten(path), href)}</th>
<td class="fit">${statusFigure(status)}</td><td>${location === '' ? '' : html`<code>${shorten(location)}</code>`}</td>
<td>${severity !== 'Error' && html`<span class="soft">${severity}: </span>`}${shortenWords(shorten(message))}</td>
</tr>`
}

const MAX_SHOWN = 200

function shorten(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}

const MAX_WORD = 40

/** A message may contain a path of any length. */
function shortenWords(text: string): Markup {
  const shown = text.replace(/\S+/g, (word) =>
    word.length > MAX_WORD ? `${word.slice(0, MAX_WORD)}…` : word
  )
  return shown === text ? html`${text}` : html`<span title="${text}">${shown}</span>`
}
