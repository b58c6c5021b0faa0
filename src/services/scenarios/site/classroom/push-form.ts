import { html, type Markup } from '../../../../kernel/html.ts'
import { SCENARIOS } from '../../scenario/registry.ts'
import { exampleSpec } from '../pages/example.ts'

const TEXTS = {
  scenario: 'Scenario',
  push: 'Push',
  stop: 'Stop'
}

/** Scenarios that most lessons begin with. */
const QUICK = [
  { spec: 'slow:1500', text: 'Slow' },
  { spec: 'flaky:1/3', text: 'Flaky' },
  { spec: 'status:503', text: 'Failing' },
  { spec: 'empty-list', text: 'Empty lists' },
  { spec: 'reset', text: 'Offline' }
]

export interface PushForm {
  readonly action: string
  /** Key of the workspace that is shown, to return to it. */
  readonly shown: string | undefined
  /** Scenarios that apply now, each with a note. */
  readonly pushed: readonly { readonly spec: string; readonly note: string }[]
  /** What was sent and could not be pushed, with the reason. */
  readonly rejected: { readonly scenario: string; readonly reason: string } | undefined
  /** For whom, for screen readers. */
  readonly target: string
}

/** One form for all of it: what is typed, a button of a usual scenario, or the end of them. */
export function pushForm({ action, shown, pushed, rejected, target }: PushForm): Markup {
  const hidden = html`<span class="hidden"> ${target}</span>`
  return html`<form class="push" action="${action}" method="post">
${shown !== undefined && html`<input type="hidden" name="of" value="${shown}">`}
<label>${TEXTS.scenario} <input class="code" name="scenario" value="${rejected?.scenario ?? ''}" list="scenarios" placeholder="slow:1500,flaky:1/3" autocomplete="off" spellcheck="false"></label>
<button>${TEXTS.push}${hidden}</button>
<p class="quick">${QUICK.map(({ spec, text }) => html`<button class="quiet" name="quick" value="${spec}" title="${spec}">${text}${hidden}</button>`)}</p>
${rejected !== undefined && html`<p class="bad" role="alert">${rejected.reason}</p>`}
${pushed.length > 0 && html`<p class="now">Now: ${pushed.map(({ spec, note }) => html`<span><code class="chip">${spec}</code> <span class="soft">${note}</span></span>`)}<button class="quiet" name="stop" value="1">${TEXTS.stop}${hidden}</button></p>`}
</form>`
}

/** Suggestions for the field; once in a page. */
export function scenarioSuggestions(): Markup {
  return html`<datalist id="scenarios">${SCENARIOS.map((scenario) => html`<option value="${exampleSpec(scenario)}">`)}</datalist>`
}
