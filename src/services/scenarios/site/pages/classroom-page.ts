import { html, type Markup } from '../../../../kernel/html.ts'
import type { Page } from '../../../../kernel/page.ts'
import {
  askFirst,
  emptyState,
  requestLine,
  statusFigure,
  time
} from '../../../../kernel/page-parts.ts'
import { drawCode } from '../../../../kernel/qr-code.ts'
import type { JournalEntry } from '../../pipeline/journal.ts'
import type { WorkspaceRow } from '../../store/workspaces.ts'

const TEXTS = {
  title: 'Workspaces',
  lead: 'Active workspaces and their latest requests.',
  invite: 'For classrooms',
  inviteNote: 'Each person who opens this URL gets a separate workspace, which is listed below.',
  alone:
    'Only this machine can reach nonet. Start it with --lan to see the URL for the classroom here, with a QR code.',
  table: 'Workspaces, most recently used first',
  none: 'There are no workspaces yet.',
  noneNext: 'A workspace appears here with its first request, for example from the',
  demo: 'demo application',
  resetAll: 'Reset all',
  resetAllQuestion: 'Restore the sample data of all workspaces?',
  resetAllButton: 'Reset all workspaces',
  reset: 'Reset',
  resetQuestion: 'Restore its sample data?',
  resetNote:
    'A reset restores the sample data of a workspace. Its name and its clock do not change.',
  refresh: 'Refresh',
  nothing: 'none',
  dropped: 'dropped'
}

export interface ClassroomPage {
  /** Prefix of the routes of this page. */
  readonly prefix: string
  /** URL of a form below the prefix. */
  readonly actionOf: (path: string) => string
  /** URL of the service for this browser. */
  readonly service: string
  /** URLs for other machines. */
  readonly invitations: readonly string[]
  readonly workspaces: readonly { row: WorkspaceRow; calls: readonly JournalEntry[] }[]
}

export function classroomPage(context: ClassroomPage): Page {
  const { prefix, workspaces } = context
  return {
    title: TEXTS.title,
    crumbs: [{ text: 'scenarios', href: context.service }, { text: 'workspaces' }],
    main: html`<p class="lead">${TEXTS.lead}</p>
<h2>${TEXTS.invite}</h2>
${renderInvitation(context)}
<h2>${TEXTS.table}</h2>
<p class="pages"><a href="${prefix}/workspaces">${TEXTS.refresh}</a></p>
${workspaces.length === 0 ? renderNone(context) : renderTable(context)}`
  }
}

function renderInvitation({ invitations }: ClassroomPage): Markup {
  const [first] = invitations
  if (first === undefined) return html`<p class="note">${TEXTS.alone}</p>`
  return html`<p>${TEXTS.inviteNote}</p>
${drawCode(`${first}/_demo`)}
<ul>${invitations.map((url) => html`<li><a href="${url}/_demo">${url}/_demo</a></li>`)}</ul>`
}

function renderNone({ service }: ClassroomPage): Markup {
  return emptyState(
    TEXTS.none,
    html`<p>${TEXTS.noneNext} <a href="${service}/_demo">${TEXTS.demo}</a>.</p>`
  )
}

function renderTable({ actionOf, service, workspaces }: ClassroomPage): Markup {
  return html`<div class="wide stack" tabindex="0" role="region" aria-label="${TEXTS.table}"><table>
<thead><tr><th scope="col">Name</th><th scope="col">Last used</th><th scope="col">Latest requests</th><th scope="col" class="number">Changes</th><th scope="col"><span class="hidden">${TEXTS.reset}</span></th></tr></thead>
<tbody>${workspaces.map(
    ({ row, calls }) => html`<tr>
<th scope="row" class="fit"><a href="${service}/w/${row.id}/_demo">${row.id}</a></th>
<td>${time(row.used)}</td>
<td>${calls.length === 0 ? TEXTS.nothing : html`<ol class="calls">${calls.map((call) => renderCall(row.id, call))}</ol>`}</td>
<td class="number">${row.seq}<span class="noun"> changes</span></td>
<td>${askFirst(TEXTS.reset, TEXTS.resetQuestion, html`<form action="${actionOf(`/workspaces/${row.id}/reset`)}" method="post"><button class="danger">${TEXTS.reset} ${row.id}</button></form>`)}</td>
</tr>`
  )}</tbody>
</table></div>
<p>${TEXTS.resetNote}</p>
${askFirst(TEXTS.resetAll, TEXTS.resetAllQuestion, html`<form action="${actionOf('/workspaces/reset')}" method="post"><button class="danger">${TEXTS.resetAllButton}</button></form>`)}`
}

function renderCall(workspace: string, { method, path, status, scenarios }: JournalEntry): Markup {
  const outcome =
    status === 0 ? html`<span class="status s5">${TEXTS.dropped}</span>` : statusFigure(status)
  return html`<li>${outcome} ${requestLine(method, path.replace(`/w/${workspace}/`, '/'))}
${scenarios.length > 0 && html`<span class="soft">${scenarios.join(', ')}</span>`}</li>`
}
