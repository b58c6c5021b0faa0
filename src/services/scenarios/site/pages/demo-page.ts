import { html, type Markup } from '../../../../kernel/html.ts'
import type { Page } from '../../../../kernel/page.ts'
import { address, askFirst, emptyState } from '../../../../kernel/page-parts.ts'
import { PEOPLE } from '../../data/fixtures.ts'
import { MAX_NAME_LENGTH } from '../../workspace/pupil-name.ts'

const TEXTS = {
  title: 'Demo application',
  lead: 'A small front end with a login, a list and a form. Break its network and see how it reacts.',
  noScript:
    'This page is a front-end application and requires JavaScript. The catalogue works without it.',
  askName: 'What is your name?',
  askNameNote: 'Your teacher sees it beside your requests.',
  saveName: 'Save the name',
  changeName: 'Change the name',
  newName: 'Name',
  ownFrontEnd: 'Base URL for a front end of your own',
  private: 'Everyone who knows this URL can read and change your data.',
  again: 'Start again in a new workspace',
  againQuestion: 'This browser will no longer find what you did here. Start again?',
  againButton: 'Start again',
  network: 'Network',
  calls: 'Calls',
  noCalls: 'No requests yet.',
  noCallsNext: 'Log in, and every request of the application appears here.',
  email: 'E-mail',
  emailNote: 'Tags work here too, such as eve.holt+locked@reqres.in',
  password: 'Password',
  logIn: 'Log in',
  logOut: 'Log out',
  retry: 'Try again',
  previous: 'Previous',
  next: 'Next',
  more: 'Other scenarios'
}

/** Switches of the panel with their scenarios. */
const SWITCHES = [
  { name: 'slow', spec: 'slow:1500', text: 'Slow: responses take 1.5 s' },
  { name: 'flaky', spec: 'flaky:1/2', text: 'Flaky: every other request fails' },
  { name: 'failing', spec: 'status:503', text: 'Failing: every request fails' },
  { name: 'torn', spec: 'reset', text: 'Dropped: every connection is closed' }
]

export interface DemoPage {
  /** Id of the workspace. */
  readonly id: string
  /** URL of the service. */
  readonly base: string
  /** Short name of the workspace of a pupil; undefined for other workspaces. */
  readonly tag: string | undefined
  /** What the pupil has entered. */
  readonly name: string | undefined
  /** URL of a form. */
  readonly actionOf: (path: string) => string
}

export function demoPageOf(demo: DemoPage): Page {
  const { id, base } = demo
  return {
    title: TEXTS.title,
    crumbs: [{ text: 'scenarios', href: '/' }, { text: 'demo' }],
    script: '/_assets/demo.js',
    main: html`<p class="lead">${TEXTS.lead}</p>
<noscript><p class="note">${TEXTS.noScript}</p></noscript>
${demo.tag !== undefined && renderPupil(demo)}
<div class="columns narrow spaced">
<section id="app" data-home="/w/${id}/api" aria-label="Application">
<form id="login" hidden>
<label>${TEXTS.email} <input name="email" value="eve.holt@reqres.in" list="people-known" size="26" autocomplete="off" spellcheck="false" title="${TEXTS.emailNote}"></label>
<datalist id="people-known">${PEOPLE.map(({ email }) => html`<option value="${email}">`)}</datalist>
<label>${TEXTS.password} <input name="password" type="password" value="cityslicka" size="14" autocomplete="off"></label>
<button>${TEXTS.logIn}</button>
</form>
<form id="session" class="bar" hidden><p id="who"></p><button class="quiet">${TEXTS.logOut}</button></form>
<p id="progress" class="soft" role="status"></p>
<div id="problem" class="note" role="alert" hidden><p id="reason"></p><button id="retry" class="quiet">${TEXTS.retry}</button></div>
<ul id="people" class="entries rows"></ul>
<form id="paging" class="bar" hidden><button class="quiet" name="previous">${TEXTS.previous}</button><button class="quiet" name="next">${TEXTS.next}</button><p id="page" class="soft"></p></form>
</section>
<aside class="panel" aria-label="${TEXTS.network}">
<h2>${TEXTS.network}</h2>
<form id="network" class="choices">
${SWITCHES.map(
  ({ name, spec, text }) =>
    html`<label><input type="checkbox" name="${name}" value="${spec}"> ${text}</label>`
)}
<label>${TEXTS.more} <input name="more" placeholder="wrong-type,drip:3000" autocomplete="off" spellcheck="false"></label>
</form>
<h2>${TEXTS.calls}</h2>
<div id="no-calls">${emptyState(TEXTS.noCalls, TEXTS.noCallsNext)}</div>
<ol id="calls" class="entries rows"></ol>
</aside>
</div>`,
    foot: html`<p>${TEXTS.ownFrontEnd}. ${TEXTS.private}</p>
${address(`${base}/w/${id}/api`)}
${demo.tag !== undefined && renderAgain(demo)}`
  }
}

/** The form comes first until the pupil has a name. */
function renderPupil({ tag, name, actionOf }: DemoPage): Markup {
  const form = (label: string) => html`<form action="${actionOf('/_demo/name')}" method="post">
<label>${label} <input name="name" value="${name ?? ''}" maxlength="${MAX_NAME_LENGTH}" size="24" required autocomplete="given-name"></label>
<button class="quiet">${TEXTS.saveName}</button></form>`
  if (name === undefined) {
    return html`<div class="note">${form(TEXTS.askName)}<p class="soft small">${TEXTS.askNameNote} Until then you are <code>${tag}</code>.</p></div>`
  }
  return html`<details class="note"><summary>You are <b><bdi>${name}</bdi></b> <span class="soft">(${tag}). ${TEXTS.changeName}</span></summary>${form(TEXTS.newName)}</details>`
}

function renderAgain({ actionOf }: DemoPage): Markup {
  const confirm = html`<form action="${actionOf('/_demo/leave')}" method="post"><button class="danger">${TEXTS.againButton}</button></form>`
  return html`<div class="pages">${askFirst(TEXTS.again, TEXTS.againQuestion, confirm)}</div>`
}
