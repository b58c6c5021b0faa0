import { type Reason, totalOf } from '../../../../kernel/exchange/reasons.ts'
import { html, type Markup } from '../../../../kernel/html.ts'
import type { CardContext } from '../../context.ts'
import { ObjectUnknown } from '../../contract.ts'
import type { Counts, ImportReport } from '../../import-export/run/report.ts'
import { findBoard } from '../../store/find.ts'
import { renderMemberPage } from '../member-layout.ts'
import type { PageOutcome, PageRequest } from '../page-request.ts'
import { boardPath } from '../read-pages.ts'
import type { BoardJob } from './import-job.ts'

/** Without a script, the browser loads the page again after this many seconds. */
const RELOAD_S = 2

/** `/import/<job>`: progress, then the report. */
export async function importPage(context: CardContext, request: PageRequest): Promise<PageOutcome> {
  const { params, signedIn, viewer } = request
  if (signedIn === undefined || viewer.kind !== 'member') throw new ObjectUnknown()
  const imports = await context.boardImports()
  const job = imports.find(params.job ?? '', signedIn.userName)
  if (job === undefined) throw new ObjectUnknown()
  const { id } = job.report?.board ?? {}
  const board = id === undefined ? undefined : await context.store.read(() => findBoard(viewer, id))
  const path = board === undefined ? undefined : request.root + boardPath(board)
  const page = renderMemberPage(context, request, {
    title: 'Import of a board',
    crumbs: [{ text: 'Import' }],
    main: html`<section class="panel"><div id="import-state">${renderJob(job, path)}</div></section>
<p><a href="${request.root}/">All boards</a></p>`
  })
  if (job.state !== 'running') return page
  return { ...page, headers: { ...page.headers, refresh: String(RELOAD_S) } }
}

function renderJob({ state, message, report, done, total }: BoardJob, path?: string): Markup {
  if (state === 'failed') {
    return html`<p class="note" role="alert">The import has stopped: ${message}</p>`
  }
  if (report !== undefined) return renderReport(report, path)
  return html`<p id="import-progress">${total === 0 ? 'The export is being checked.' : 'Cards are being stored.'}</p>
<progress aria-labelledby="import-progress"${total > 0 && html` max="${total}" value="${done}"`}></progress>`
}

function renderReport(report: ImportReport, path: string | undefined): Markup {
  const { board, cards, lists, labels, files, skipped, adjusted, notes } = report
  return html`<h2>Imported <a href="${path}"><bdi>${board.name}</bdi></a></h2>
<ul class="facts">${renderTotal(sum(cards), 'card')}${renderTotal(sum(lists), 'list')}${renderTotal(sum(labels), 'label')}${renderTotal(files.uploaded + files.stored, 'file')}</ul>
<p class="hint">Cards: ${cards.added} added, ${cards.updated} updated, ${cards.unchanged} unchanged.</p>
${renderReasons('Skipped', skipped)}
${renderReasons('Changed', adjusted)}
${renderReasons('Files missing', files.missing)}
${files.missing.length > 0 && html`<p class="hint">To add them, put the export and its files into a zip and import that: nothing is stored twice.</p>`}
${notes.map((note) => html`<p class="hint">Note: ${note}</p>`)}`
}

function renderTotal(total: number, noun: string): Markup {
  return html`<li><b>${total}</b> ${noun}${total !== 1 && 's'}</li>`
}

function sum({ added, updated, unchanged }: Counts): number {
  return added + updated + unchanged
}

function renderReasons(title: string, reasons: readonly Reason[]): Markup | false {
  if (reasons.length === 0) return false
  return html`<p class="small">${title} (${totalOf(reasons)}):</p><ul class="small">${reasons.map(
    ({ reason, count, examples }) =>
      html`<li>${count} ${reason} <span class="soft">(<bdi>${examples.join(', ')}</bdi>${count > examples.length && ', …'})</span></li>`
  )}</ul>`
}
