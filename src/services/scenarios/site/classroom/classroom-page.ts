import { readFileSync } from 'node:fs'
import { html, type Markup } from '../../../../kernel/html.ts'
import { createPageStyle, type Page } from '../../../../kernel/page.ts'
import { address, askFirst, emptyState, methodBadge, time } from '../../../../kernel/page-parts.ts'
import { drawCode } from '../../../../kernel/qr-code.ts'
import { type PushForm, pushForm, scenarioSuggestions } from './push-form.ts'
import type { ClassList, Listed, Shown } from './read-class.ts'
import { outcomeOf, targetOf, type WorkspacePanel, workspacePanel } from './workspace-panel.ts'

const TEXTS = {
  title: 'Classroom',
  lead: 'Each browser that opens the URL of the class gets a workspace of its own, keeps it when it comes again, and appears here at once.',
  invite: 'Invite the class',
  fullScreen: 'Show the code full screen',
  alone:
    'Only this machine can reach nonet. Start it with --lan to invite other machines: the URL and a QR code appear here.',
  aloneTry: 'To try it here, open this URL in several browsers:',
  pupils: 'Pupils',
  noPupils: 'No pupil has opened the URL yet.',
  noPupilsNext: 'Show the QR code, or write the URL on the board.',
  others: 'Other workspaces',
  othersNote: 'Created by tests and by front ends under development, most recently used first.',
  pushAll: 'Push a scenario to all pupils',
  pushNote:
    'From then on it applies to every request of a pupil, until you stop it. The pupils see its effect, and its name in the list of calls.',
  changes: 'Changes',
  changesNote: 'Changes are records that were created, changed or deleted and stored.',
  nothing: 'none yet',
  refresh: 'Refresh',
  resetAll: 'Reset all',
  resetAllQuestion: 'Restore the sample data of all workspaces, and delete their requests?',
  resetAllButton: 'Reset all workspaces'
}

export const CLASS_STYLE = createPageStyle(
  readFileSync(new URL('./classroom.css', import.meta.url), 'utf8')
)

export interface ClassroomPage {
  /** URL of this page without a query. */
  readonly home: string
  /** URL of a form below it. */
  readonly actionOf: (path: string) => string
  /** URL of the service for this browser. */
  readonly service: string
  /** URLs of the class for other machines. */
  readonly invitations: readonly string[]
  readonly list: ClassList
  readonly shown: Shown | undefined
  readonly isOlderPage: boolean
  readonly rejected: (PushForm['rejected'] & { readonly key: string | undefined }) | undefined
}

export function classroomPage(page: ClassroomPage): Page {
  const { home, service, list, shown } = page
  return {
    title: TEXTS.title,
    crumbs: [{ text: 'scenarios', href: service }, { text: 'classroom' }],
    script: `${home}/live-classroom.js`,
    style: CLASS_STYLE,
    heading: html`<div class="head"><h1>${TEXTS.title}</h1><span class="pill" id="live" data-events="${home}/events" hidden>live</span>
<ul class="facts" id="facts" data-live><li><b>${list.counts.pupils}</b> ${list.counts.pupils === 1 ? 'pupil' : 'pupils'}</li></ul></div>`,
    main: html`<p class="lead">${TEXTS.lead}</p>
<noscript><p class="pages"><a href="${home}${shown !== undefined && `?of=${shown.listed.key}`}">${TEXTS.refresh}</a></p></noscript>
<div class="columns class">
<div class="pile">
${renderPupils(page)}
${renderOthers(page)}
</div>
<div class="pile side">
${shown !== undefined && workspacePanel(panelOf(page, shown))}
${renderPushAll(page)}
${renderInvitation(page)}
</div>
</div>
${scenarioSuggestions()}`
  }
}

function panelOf(
  { home, actionOf, service, rejected, isOlderPage }: ClassroomPage,
  shown: Shown
): WorkspacePanel {
  const { key, label, pushed } = shown.listed
  return {
    shown,
    home,
    service,
    isOlderPage,
    resetAction: actionOf(`/${key}/reset`),
    push: {
      action: actionOf(`/${key}/push`),
      shown: key,
      pushed: pushed === undefined ? [] : [{ spec: pushed, note: '' }],
      rejected: rejected?.key === key ? rejected : undefined,
      target: `to ${label}`
    }
  }
}

function renderInvitation({ home, service, invitations }: ClassroomPage): Markup {
  const [first] = invitations
  if (first === undefined) {
    return html`<section class="panel"><header><h2 class="panel-title">${TEXTS.invite}</h2></header>
<p>${TEXTS.alone}</p><p class="soft small">${TEXTS.aloneTry}</p>${address(`${service}/_demo`)}</section>`
  }
  return html`<section class="panel"><header><h2 class="panel-title">${TEXTS.invite}</h2><a href="${home}/code">${TEXTS.fullScreen}</a></header>
<a class="code-link" href="${home}/code" title="${TEXTS.fullScreen}">${drawCode(first)}</a>
${invitations.map((url) => address(url))}</section>`
}

function renderPushAll({ actionOf, list, shown, rejected }: ClassroomPage): Markup {
  return html`<section class="panel for-pupils"><header><h2 class="panel-title">${TEXTS.pushAll}</h2></header>
${pushForm({
  action: actionOf('/push'),
  shown: shown?.listed.key,
  pushed: pushedToClass(list),
  rejected: rejected !== undefined && rejected.key === undefined ? rejected : undefined,
  target: 'to all'
})}
<p class="soft small">${TEXTS.pushNote}</p></section>`
}

/** At most a few: each pupil may have another one. */
const MAX_PUSHED = 5

function pushedToClass({ pupils, counts }: ClassList): PushForm['pushed'] {
  const numbers = new Map<string, number>()
  for (const { pushed } of pupils) {
    if (pushed !== undefined) numbers.set(pushed, (numbers.get(pushed) ?? 0) + 1)
  }
  const notes = [...numbers].map(([spec, number]) => ({
    spec,
    note: number === counts.pupils ? 'all' : `${number} of ${counts.pupils}`
  }))
  return notes.slice(0, MAX_PUSHED)
}

function renderPupils(page: ClassroomPage): Markup {
  const { list, actionOf, invitations } = page
  const { pupils, counts } = list
  const more = counts.pupils - pupils.length
  return html`<section class="panel" aria-labelledby="pupils-title"><header><h2 class="panel-title" id="pupils-title">${TEXTS.pupils}</h2></header>
<div id="pupils" data-live>
${pupils.length === 0 ? emptyState(TEXTS.noPupils, invitations.length > 0 ? TEXTS.noPupilsNext : html``) : renderTable(page, pupils, TEXTS.pupils)}
${more > 0 && html`<p class="soft small">And ${more} more, not used for longer.</p>`}
</div>
<div class="for-rows"><p class="soft small">${TEXTS.changesNote}</p>
${askFirst(TEXTS.resetAll, TEXTS.resetAllQuestion, html`<form action="${actionOf('/reset')}" method="post"><button class="danger">${TEXTS.resetAllButton}</button></form>`)}</div>
</section>`
}

function renderOthers(page: ClassroomPage): Markup {
  const { others, counts } = page.list
  const more = counts.workspaces - counts.pupils - others.length
  if (others.length === 0) return html`<div id="others" data-live></div>`
  return html`<div id="others" data-live><section class="panel"><header><h2 class="panel-title">${TEXTS.others}</h2></header>
<p class="soft small">${TEXTS.othersNote}</p>
${renderTable(page, others, TEXTS.others)}
${more > 0 && html`<p class="soft small">And ${more} more: <code>GET /_workspaces</code> lists all.</p>`}
</section></div>`
}

function renderTable(page: ClassroomPage, rows: readonly Listed[], name: string): Markup {
  return html`<div class="wide stack" tabindex="0" role="region" aria-label="${name}"><table class="class-list">
<thead><tr><th scope="col">Name</th><th scope="col">Last request</th><th scope="col">Scenario</th><th scope="col" class="number">${TEXTS.changes}</th><th scope="col">Time</th></tr></thead>
<tbody>${rows.map((listed) => renderRow(page, listed))}</tbody>
</table></div>`
}

function renderRow(
  { home, shown }: ClassroomPage,
  { key, label, row, pushed, last }: Listed
): Markup {
  const isShown = shown?.listed.key === key
  return html`<tr id="row-${key}"${isShown && html` class="shown"`}>
<th scope="row"><a href="${home}?of=${key}"${isShown && html` aria-current="true"`}><bdi>${label}</bdi></a></th>
<td>${last === undefined ? html`<span class="soft">${TEXTS.nothing}</span>` : html`${outcomeOf(last.status)} ${methodBadge(last.method)} <code class="target">${targetOf(last, row.id)}</code>`}</td>
<td>${pushed !== undefined && html`<code class="chip">${pushed}</code>`}</td>
<td class="number">${row.seq}<span class="noun"> ${row.seq === 1 ? 'change' : 'changes'}</span></td>
<td class="soft">${time(last?.at ?? row.created)}</td>
</tr>`
}
