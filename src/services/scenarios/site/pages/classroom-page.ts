import { html, type Markup } from '../../../../kernel/html.ts'
import type { Page } from '../../../../kernel/page.ts'
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
  resetAll: 'Reset all',
  reset: 'Reset',
  resetNote:
    'A reset restores the sample data of a workspace. Its name and its clock do not change.',
  refresh: 'Refresh',
  nothing: 'none'
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
${workspaces.length === 0 ? html`<p>${TEXTS.none}</p>` : renderTable(context)}`
  }
}

function renderInvitation({ invitations }: ClassroomPage): Markup {
  const [first] = invitations
  if (first === undefined) return html`<p class="note">${TEXTS.alone}</p>`
  return html`<p>${TEXTS.inviteNote}</p>
${drawCode(`${first}/_demo`)}
<ul>${invitations.map((url) => html`<li><a href="${url}/_demo">${url}/_demo</a></li>`)}</ul>`
}

function renderTable({ actionOf, service, workspaces }: ClassroomPage): Markup {
  return html`<div class="wide" tabindex="0" role="region" aria-label="${TEXTS.table}"><table>
<thead><tr><th scope="col">Name</th><th scope="col">Last used</th><th scope="col">Latest requests</th><th scope="col">Changes</th><th scope="col"><span class="hidden">${TEXTS.reset}</span></th></tr></thead>
<tbody>${workspaces.map(
    ({ row, calls }) => html`<tr>
<th scope="row"><a href="${service}/w/${row.id}/_demo">${row.id}</a></th>
<td>${timeOf(row.used)}</td>
<td>${calls.length === 0 ? TEXTS.nothing : html`<ol class="calls">${calls.map((call) => renderCall(row.id, call))}</ol>`}</td>
<td>${row.seq}</td>
<td><form action="${actionOf(`/workspaces/${row.id}/reset`)}" method="post" class="cell"><button class="quiet">${TEXTS.reset}<span class="hidden"> ${row.id}</span></button></form></td>
</tr>`
  )}</tbody>
</table></div>
<p>${TEXTS.resetNote}</p>
<form action="${actionOf('/workspaces/reset')}" method="post"><button>${TEXTS.resetAll}</button></form>`
}

function timeOf(milliseconds: number): Markup {
  const iso = new Date(milliseconds).toISOString()
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC</time>`
}

function renderCall(workspace: string, { method, path, status, scenarios }: JournalEntry): Markup {
  const why = scenarios.length === 0 ? '' : `, ${scenarios.join(', ')}`
  return html`<li><code>${method} ${shorten(path.replace(`/w/${workspace}/`, '/'))}</code> <span class="soft">${status === 0 ? 'dropped' : status}${why}</span></li>`
}

const MAX_PATH = 80

function shorten(path: string): string {
  return path.length > MAX_PATH ? `${path.slice(0, MAX_PATH)}…` : path
}
