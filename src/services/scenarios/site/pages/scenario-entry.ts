import { html, type Markup } from '../../../../kernel/html.ts'
import { codeTabs } from '../../../../kernel/page-parts.ts'
import type { Scenario } from '../../pipeline/request-context.ts'
import { type Example, exampleSpec, formFields, readExample } from './example.ts'
import { EXAMPLE_TEXTS } from './example-texts.ts'
import { snippetsOf } from './snippets.ts'

const TEXTS = {
  tryIt: 'Try it',
  code: 'Code',
  syntax: 'All forms:'
}

/** What the example of a scenario does, as a sentence. */
export function textOf({ name, about }: Scenario): string {
  const text = EXAMPLE_TEXTS[name] ?? `${about}.`
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export interface EntryView {
  readonly base: string
  /** Whether the code is shown, which a script loads on demand. */
  readonly isShown: boolean
  /** Words of the search, for links to this page. */
  readonly words: string
}

/** One scenario of the catalogue. */
export function scenarioEntry(scenario: Scenario, { base, isShown, words }: EntryView): Markup {
  const { name, example } = scenario
  const query = new URLSearchParams({ ...(words !== '' && { q: words }), show: name })
  return html`<li id="${name}">
<div><code class="spec">${exampleSpec(scenario)}</code><p>${textOf(scenario)}</p></div>
<div class="acts">${renderTry(name, readExample(name, example))}<a class="quiet" href="/?${query.toString()}#${name}">${TEXTS.code}<span class="hidden">: ${name}</span></a></div>
${isShown && renderCode(base, scenario)}
</li>`
}

function renderCode(base: string, scenario: Scenario): Markup {
  const { name, usage, about } = scenario
  return html`<div class="detail">${codeTabs(`code-${name}`, snippetsOf(base, scenario))}
${usage !== exampleSpec(scenario) && html`<p class="soft small">${TEXTS.syntax} <code>${usage}</code>: ${about}</p>`}</div>`
}

/** A link or a form that works without a script, if possible. */
export function renderTry(name: string, example: Example): Markup {
  const label = html`${TEXTS.tryIt}<span class="hidden">: ${name}</span>`
  const { method, path, body, headers } = example
  const fields = formFields(example)
  if (fields !== undefined) {
    return html`<form action="${path}" method="post" data-try>
${fields.map(([key, value]) => html`<input type="hidden" name="${key}" value="${value}">`)}
<button class="quiet">${label}</button></form>`
  }
  const isPlain = method === 'GET' && Object.keys(headers).length === 0
  if (isPlain) return html`<a class="quiet" href="${path}" data-try>${label}</a>`
  return html`<form action="${path}" data-try data-method="${method}" data-body="${body}" data-headers="${JSON.stringify(headers)}" hidden>
<button class="quiet">${label}</button></form>`
}
