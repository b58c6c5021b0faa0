import { html } from '../../../../kernel/html.ts'
import { type Frame, type Page, renderPage } from '../../../../kernel/page.ts'
import { emptyState } from '../../../../kernel/page-parts.ts'
import { PEOPLE } from '../../data/fixtures.ts'

const TEXTS = {
  title: 'Demo application',
  lead: 'A small front end with a login, a list and a form. Break its network and see how it reacts.',
  noScript:
    'This page is a front-end application and requires JavaScript. The catalogue works without it.',
  workspace: 'Workspace',
  again: 'Start again in a new workspace',
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

export function renderDemo(workspace: string, frame: Frame): string {
  const page: Page = {
    title: TEXTS.title,
    crumbs: [{ text: 'scenarios', href: '/' }, { text: 'demo' }],
    script: '/_assets/demo.js',
    main: html`<p class="lead">${TEXTS.lead}</p>
<noscript><p class="note">${TEXTS.noScript}</p></noscript>
<div class="columns narrow">
<section id="app" data-home="/w/${workspace}/api" aria-label="Application">
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
    foot: html`<p>${TEXTS.workspace}: <code>${workspace}</code>. <a href="/_demo">${TEXTS.again}</a></p>`
  }
  return renderPage(page, frame)
}
