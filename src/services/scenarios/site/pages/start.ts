import { html, type Markup } from '../../../../kernel/html.ts'
import { type Frame, type Page, renderPage } from '../../../../kernel/page.ts'
import { codeTabs, methodBadge } from '../../../../kernel/page-parts.ts'
import { PEOPLE, type Person, roleOf, sampleToken } from '../../data/fixtures.ts'
import type { Scenario } from '../../pipeline/request-context.ts'
import { findScenario } from '../../scenario/registry.ts'
import { type Example, formFields, readExample } from './example.ts'
import { GROUPS } from './groups.ts'

const TEXTS = {
  title: 'Front-end test API',
  lead: 'Logins, lists and every failure a front end must handle, on the URLs your front end already calls.',
  ask: 'Select a scenario with ?scenario= or the header X-Scenario, for a login with a tag in the email address, or for all requests under a base URL with /_s/{scenario}. Separate several scenarios with commas.',
  keep: 'Writes are stored only in a workspace: requests under /w/{name}/api read and change data that no other workspace sees.',
  demo: 'Open the demo application',
  list: 'The same catalogue as JSON',
  own: 'Combine scenarios',
  ownButton: 'Send',
  scenario: 'Scenario',
  path: 'URL',
  people: 'Sample users',
  peopleNote:
    'Any password works. Each token belongs to one user and is accepted wherever a token is required.',
  tryIt: 'Try it',
  logIn: 'Log in'
}

export function renderStart(base: string, frame: Frame): string {
  const page: Page = {
    title: TEXTS.title,
    crumbs: [{ text: 'scenarios' }],
    script: '/_assets/try.js',
    main: html`<p class="lead">${TEXTS.lead}</p>
<p>${TEXTS.ask}</p>
<p>${TEXTS.keep}</p>
<p class="pages"><a href="/_demo">${TEXTS.demo}</a> <a href="/_scenarios">${TEXTS.list}</a>
${GROUPS.map(({ title }) => html`<a href="#${anchorOf(title)}">${title}</a> `)}<a href="#people">${TEXTS.people}</a></p>
${renderSamples(base)}
<h2>${TEXTS.own}</h2>
<ul class="entries"><li><form action="/api/users" method="get" data-own>
<label>${TEXTS.scenario} <input name="scenario" value="slow:800,flaky:1/2" size="28" required autocomplete="off" spellcheck="false" class="code"></label>
<button>${TEXTS.ownButton}</button>
</form></li></ul>
${GROUPS.map(({ title, names }) => renderGroup(title, names))}
<h2 id="people">${TEXTS.people}</h2>
<p>${TEXTS.peopleNote}</p>
<ul class="entries">${PEOPLE.map(renderPerson)}</ul>`
  }
  return renderPage(page, frame)
}

function renderSamples(base: string): Markup {
  return codeTabs('sample', [
    { label: 'curl', language: 'shell', text: `curl -i '${base}/api/users?scenario=slow:1500'` },
    {
      label: 'fetch',
      language: 'script',
      text: `await fetch('${base}/api/users', { headers: { 'x-scenario': 'slow:1500' } })`
    },
    { label: '.env', language: 'shell', text: `API_URL=${base}/_s/slow:1500/api` }
  ])
}

function anchorOf(title: string): string {
  return title.toLowerCase().replaceAll(' ', '-')
}

function renderGroup(title: string, names: readonly string[]): Markup {
  const scenarios = names.flatMap((name) => findScenario(name) ?? [])
  return html`<h2 id="${anchorOf(title)}">${title}</h2>
<ul class="entries">${scenarios.map(renderScenario)}</ul>`
}

function renderScenario({ name, usage, about, example }: Scenario): Markup {
  const asked = readExample(name, example)
  return html`<li data-name="${name}">
<div><p><code>${usage}</code></p><p class="soft">${about}</p><p>${renderRequest(asked)}</p></div>
${renderTry(name, asked)}
</li>`
}

function renderRequest({ method, path, body, headers }: Example): Markup {
  const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  if (body !== '') more.push(body)
  return html`${methodBadge(method)} <code>${path}</code>${more.map((text) => html` <code class="soft">${text}</code>`)}`
}

/** A link or a form that works without a script, if possible. */
function renderTry(name: string, example: Example): Markup {
  const label = html`${TEXTS.tryIt}<span class="hidden">: ${name}</span>`
  const { method, path, body, headers } = example
  const fields = formFields(example)
  if (fields !== undefined) {
    return html`<form action="${path}" method="post" data-try>
${fields.map(([key, value]) => html`<input type="hidden" name="${key}" value="${value}">`)}
<button class="quiet">${label}</button></form>`
  }
  const isPlain = method === 'GET' && Object.keys(headers).length === 0
  if (isPlain) return html`<p><a class="quiet" href="${path}" data-try>${label}</a></p>`
  return html`<form action="${path}" data-try data-method="${method}" data-body="${body}" data-headers="${JSON.stringify(headers)}" hidden>
<button class="quiet">${label}</button></form>`
}

function renderPerson({ id, email, first_name, last_name }: Person): Markup {
  const name = `${first_name} ${last_name}`
  return html`<li>
<div class="person"><img class="face" src="/img/faces/${id}-image.svg" alt="" width="44" height="44">
<div><p>${name} <span class="soft">${id}, ${roleOf(id)}</span></p>
<p class="soft"><code>${email}</code></p><p class="soft"><code>${sampleToken(id)}</code></p></div></div>
<form action="/api/login" method="post" data-try>
<input type="hidden" name="email" value="${email}"><input type="hidden" name="password" value="any">
<button class="quiet">${TEXTS.logIn}<span class="hidden">: ${name}</span></button></form>
</li>`
}
