import { cutText } from '../../../../kernel/cut-text.ts'
import { html, type Markup } from '../../../../kernel/html.ts'
import {
  askFirst,
  emptyState,
  jsonBlock,
  methodBadge,
  statusFigure,
  time
} from '../../../../kernel/page-parts.ts'
import { type PushForm, pushForm } from './push-form.ts'
import type { Call, Shown } from './read-class.ts'
import { readableTarget } from './readable-target.ts'

/** A longer body is cut: the page shows many of them. */
const MAX_BODY_LENGTH = 300

const TEXTS = {
  close: 'Close',
  none: 'No requests yet.',
  noneNext: 'They appear here while the pupil uses the demo application.',
  older: 'Older requests',
  newest: 'Newest requests',
  reset: 'Reset',
  resetQuestion: 'Restore the sample data, and delete these requests?',
  open: 'Open its demo application',
  dropped: 'dropped',
  push: 'Push a scenario'
}

export interface WorkspacePanel {
  readonly shown: Shown
  /** URL of the page without a chosen workspace. */
  readonly home: string
  /** URL of the service. */
  readonly service: string
  readonly resetAction: string
  readonly push: PushForm
  readonly isOlderPage: boolean
}

/** The requests of one workspace, and what a teacher can do with it. */
export function workspacePanel(panel: WorkspacePanel): Markup {
  const { shown, home, service } = panel
  const { key, label, row } = shown.listed
  return html`<section class="panel chosen" id="chosen" aria-labelledby="chosen-name">
<header><h2 class="panel-title" id="chosen-name"><bdi>${label}</bdi></h2>${row.name !== null && html`<span class="soft small">${row.tag}</span>`}
<a href="${home}">${TEXTS.close}</a></header>
<div id="calls" data-live>${renderCalls(shown)}</div>
${renderPages(panel)}
<h3>${TEXTS.push}</h3>
${pushForm(panel.push)}
<div class="row-end"><a href="${service}/w/${row.id}/_demo">${TEXTS.open}</a>
${askFirst(TEXTS.reset, TEXTS.resetQuestion, html`<form action="${panel.resetAction}" method="post"><input type="hidden" name="of" value="${key}"><button class="danger">${TEXTS.reset} ${label}</button></form>`)}</div>
</section>`
}

function renderPages({ shown, home, isOlderPage }: WorkspacePanel): Markup | false {
  const { listed, older } = shown
  if (!isOlderPage && older === undefined) return false
  const url = `${home}?of=${listed.key}`
  return html`<p class="pages small">${isOlderPage && html`<a href="${url}">${TEXTS.newest}</a>`}
${older !== undefined && html`<a href="${url}&before=${older}">${TEXTS.older}</a>`}</p>`
}

function renderCalls({ calls, listed }: Shown): Markup {
  if (calls.length === 0) {
    return emptyState(TEXTS.none, listed.row.tag === null ? html`` : TEXTS.noneNext)
  }
  return html`<ol class="inbox">${calls.map((call) => renderCall(call, listed.row.id))}</ol>`
}

function renderCall(call: Call, id: string): Markup {
  const { number, at, method, status, scenarios } = call
  const target = targetOf(call, id)
  const summary = html`${time(at)}<span class="who">${methodBadge(method)} <code>${target}</code></span>${outcomeOf(status)}`
  return html`<li id="call-${number}"><details><summary>${summary}</summary>
<div class="entry"><p><code>${target}</code></p>
${scenarios.length > 0 && html`<p>${scenarios.map((name) => html`<code class="chip">${name}</code> `)}</p>`}
${renderBody(call.body)}</div></details></li>`
}

/** Without the prefix of the workspace, and readable. */
export function targetOf({ path }: Pick<Call, 'path'>, id: string): string {
  return readableTarget(path.replace(`/w/${id}/`, '/'))
}

export function outcomeOf(status: number): Markup {
  return status === 0 ? html`<span class="status s5">${TEXTS.dropped}</span>` : statusFigure(status)
}

function renderBody(body: unknown): Markup | false {
  if (body === undefined) return false
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  if (text.length <= MAX_BODY_LENGTH) return jsonBlock(text)
  return jsonBlock(`${cutText(text, MAX_BODY_LENGTH)} …`)
}
