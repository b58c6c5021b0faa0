import { readFileSync } from 'node:fs'
import { html, type Markup } from '../../../../kernel/html.ts'
import { createPageStyle, type Page } from '../../../../kernel/page.ts'
import { address, emptyState } from '../../../../kernel/page-parts.ts'
import { PEOPLE, type Person, roleOf, sampleToken } from '../../data/fixtures.ts'
import type { Scenario } from '../../pipeline/request-context.ts'
import { findScenario } from '../../scenario/registry.ts'
import { matchesWords } from './browser/match-words.ts'
import { exampleSpec } from './example.ts'
import { GROUPS } from './groups.ts'
import { scenarioEntry, textOf } from './scenario-entry.ts'

const TEXTS = {
  title: 'Front-end test API',
  lead: 'Logins, lists and every failure a front end must handle, on the URLs your front end already calls.',
  ways: 'Select a scenario',
  base: 'Without a scenario, requests to this base URL just work. With one, they fail the way you want:',
  original:
    'For unchanged clients of ReqRes, where a failed login or registration is 400, start with',
  demo: 'Open the demo application',
  classroom: 'Classroom',
  list: 'Catalogue as JSON',
  search: 'Find a scenario',
  searchButton: 'Find',
  placeholder: 'slow, 503, token, …',
  contents: 'Groups',
  own: 'Combine scenarios',
  ownButton: 'Send',
  scenario: 'Scenarios, separated by commas',
  none: 'No scenario matches.',
  noneNext: 'Search for a status such as 429, a word such as token, or a part of a name.',
  all: 'Show all scenarios',
  people: 'Sample users',
  peopleNote:
    'Any password works. Each token belongs to one user and is accepted wherever a token is required.',
  logIn: 'Log in'
}

/** How a request selects a scenario; the code is not part of the sentence. */
const WAYS: readonly { code: string; text: string }[] = [
  { code: '?scenario=slow', text: 'in the query of one request' },
  { code: 'X-Scenario: slow', text: 'as a header' },
  { code: '/_s/slow/api', text: 'as base URL, for all requests of a front end' },
  { code: 'eve.holt+locked@reqres.in', text: 'as a tag of the email address, for a login' },
  { code: '/w/my-test/api', text: 'is a workspace: it stores what you write, for you alone' }
]

const STYLE = createPageStyle(readFileSync(new URL('./catalogue.css', import.meta.url), 'utf8'))

export interface CataloguePage {
  /** URL of the service. */
  readonly base: string
  /** Words of the search; an empty string shows all scenarios. */
  readonly words: string
  /** Name of the scenario whose code is shown. */
  readonly shown: string | undefined
  /** URL of the console; undefined if the reader cannot reach it. */
  readonly console: string | undefined
}

interface Group {
  readonly title: string
  readonly scenarios: readonly Scenario[]
}

export function cataloguePage(page: CataloguePage): Page {
  const groups = findGroups(page.words.trim())
  const count = groups.reduce((sum, { scenarios }) => sum + scenarios.length, 0)
  return {
    title: TEXTS.title,
    crumbs: [{ text: 'scenarios' }],
    script: '/_assets/catalogue.js',
    style: STYLE,
    main: html`<p class="lead">${TEXTS.lead}</p>
<p>${TEXTS.original} <code class="fit">--scenarios-auth-status 400</code>.</p>
<p class="pages"><a class="button" href="/_demo">${TEXTS.demo}</a>
${page.console !== undefined && html`<a href="${page.console}/scenarios/workspaces">${TEXTS.classroom}</a>`} <a href="/_scenarios">${TEXTS.list}</a></p>
<div class="guide catalogue">
${renderIndex(page, groups)}
<div class="found">
${page.words.trim() === '' && renderIntroduction(page)}
<p class="soft small" id="count" role="status">${countText(count)}</p>
${groups.map((group) => renderGroup(page, group))}
<div id="no-match"${count > 0 && html` hidden`}>${emptyState(TEXTS.none, html`<p>${TEXTS.noneNext} <a href="/">${TEXTS.all}</a></p>`)}</div>
<section data-group><h2 id="people">${TEXTS.people}</h2>
<p>${TEXTS.peopleNote}</p>
<form class="people" action="/api/login" method="post" data-try><input type="hidden" name="password" value="any">
<ul class="entries">${PEOPLE.map(renderPerson)}</ul></form></section>
</div>
</div>`
  }
}

function countText(count: number): string {
  return count === 1 ? '1 scenario' : `${count} scenarios`
}

/** The groups with the scenarios that contain all words, in their name, text or group. */
function findGroups(words: string): readonly Group[] {
  return GROUPS.map(({ title, names }) => ({
    title,
    scenarios: names
      .flatMap((name) => findScenario(name) ?? [])
      .filter((scenario) => matchesWords(searchedText(scenario, title), words))
  })).filter(({ scenarios }) => scenarios.length > 0)
}

function searchedText(scenario: Scenario, group: string): string {
  return [scenario.name, exampleSpec(scenario), textOf(scenario), group].join(' ')
}

function renderIndex({ words }: CataloguePage, groups: readonly Group[]): Markup {
  return html`<div class="index">
<form role="search" action="/" method="get" id="search"><label><span class="hidden">${TEXTS.search}</span>
<input type="search" name="q" value="${words}" placeholder="${TEXTS.placeholder}" autocomplete="off" spellcheck="false"></label><button class="quiet">${TEXTS.searchButton}</button></form>
<details class="contents"><summary>${TEXTS.contents}</summary><nav aria-label="${TEXTS.contents}"><ul>
${groups.map(({ title, scenarios }) => html`<li><a href="#${anchorOf(title)}">${title} <span class="soft">${scenarios.length}</span></a></li>`)}
<li><a href="#people">${TEXTS.people} <span class="soft">${PEOPLE.length}</span></a></li>
</ul></nav></details>
</div>`
}

function renderIntroduction({ base }: CataloguePage): Markup {
  return html`<section id="introduction"><h2>${TEXTS.ways}</h2>
<p class="soft small">${TEXTS.base}</p>
${address(`${base}/api`)}
<dl class="ways">${WAYS.map(({ code, text }) => html`<dt><code>${code}</code></dt><dd>${text}</dd>`)}</dl>
<ul class="entries"><li id="combine"><form action="/api/users" method="get" data-own>
<label>${TEXTS.scenario} <input name="scenario" value="slow:800,flaky:1/2" size="28" required autocomplete="off" spellcheck="false" class="code"></label>
<button>${TEXTS.ownButton}</button>
</form></li></ul></section>`
}

function anchorOf(title: string): string {
  return title.toLowerCase().replaceAll(' ', '-')
}

function renderGroup({ base, shown, words }: CataloguePage, { title, scenarios }: Group): Markup {
  return html`<section data-group="${title}"><h2 id="${anchorOf(title)}">${title}</h2>
<ul class="entries">${scenarios.map((scenario) => scenarioEntry(scenario, { base, words, isShown: scenario.name === shown }))}</ul></section>`
}

/** The button sends the email address of its user. */
function renderPerson({ id, email, first_name, last_name }: Person): Markup {
  const name = `${first_name} ${last_name}`
  return html`<li>
<div class="person"><img class="face" src="/img/faces/${id}-image.svg" alt="">
<div>${name} <span class="soft">${id}, ${roleOf(id)}</span>
<p><code>${email}</code></p><p><code>${sampleToken(id)}</code></p></div></div>
<button class="quiet" name="email" value="${email}">${TEXTS.logIn}<span class="hidden">: ${name}</span></button>
</li>`
}
