import { html, type Markup } from '../../../kernel/html.ts'
import type { Page } from '../../../kernel/page.ts'
import { glyph } from '../../../kernel/page-icons.ts'
import { address, codeBlock, jsonBlock, statusFigure } from '../../../kernel/page-parts.ts'
import type { FormOptions } from '../start-check.ts'
import type { Trial } from '../trial.ts'
import { type InboxView, inboxPanel } from './inbox-panel.ts'
import { errorTable, sampleTabs } from './samples.ts'
import { switchTable } from './switches.ts'

const TEXTS = {
  title: 'forms',
  lead: 'Checks a form with two fields and forwards it to a webhook.',
  try: 'Try it',
  tryNote:
    'The console sends the form to the function as a page of yours would, with the headers of this browser.',
  expects: 'What it expects',
  samples: 'Use it in your page',
  switches: 'Switches',
  switchNote: 'Set when nonet starts, as a flag, an environment variable or in nonet.config.json.'
}

export interface FormsView extends InboxView {
  /** URL of the function. */
  readonly url: string
  readonly options: FormOptions
  readonly trial: Trial | undefined
}

export function formsPage(view: FormsView): Page {
  const { url, options, trial, prefix, actionOf } = view
  return {
    title: TEXTS.title,
    crumbs: [{ text: TEXTS.title }],
    heading: html`<h1 class="titled">${glyph('forms')}${TEXTS.title}</h1>`,
    script: `${prefix}/live-inbox.js`,
    main: html`<p class="lead">${TEXTS.lead}</p>
<div class="columns">
<div class="stacked">
${inboxPanel(view)}
<section class="panel" aria-labelledby="samples"><header><h2 class="panel-title" id="samples">${TEXTS.samples}</h2></header>
${sampleTabs(`${url}/`, options)}
</section>
</div>
<div class="stacked">
<section class="panel" aria-labelledby="try"><header><h2 class="panel-title" id="try">${TEXTS.try}</h2></header>
${tryForm(actionOf('/try'))}
<div id="tried" role="status" tabindex="-1">${trial !== undefined && trialResult(trial)}</div>
</section>
<section class="panel" aria-labelledby="expects"><header><h2 class="panel-title" id="expects">${TEXTS.expects}</h2></header>
${address(`${url}/`)}
<p>A body with two strings, <code>email</code> and <code>fullName</code>, as JSON${options.acceptForms ? ' or from an HTML form' : ''}. Both are required and not empty. Other fields are dropped. Every method and path is the same.</p>
${errorTable(options)}
</section>
</div>
</div>
<h2>${TEXTS.switches}</h2>
<p>${TEXTS.switchNote}</p>
${switchTable(options, prefix)}`
  }
}

function tryForm(action: string): Markup {
  return html`<p class="small soft">${TEXTS.tryNote}</p>
<form class="fill" action="${action}" method="post" data-fetch>
<label>email <input name="email" value="jane@example.org" autocomplete="off" spellcheck="false"></label>
<label>fullName <input name="fullName" value="Jane Doe" autocomplete="off"></label>
<label>message (not a field of the function) <input name="message" value="Hello!" autocomplete="off"></label>
<label>Sent as <select name="as"><option value="json">JSON, by fetch</option><option value="form">HTML form</option></select></label>
<button>Send</button>
</form>`
}

function trialResult({ status, location, text }: Trial): Markup {
  if (status === undefined) return html`<p class="note" role="alert">${text}</p>`
  const isRedirect = location !== undefined
  return html`<h3>Response ${statusFigure(status)}</h3>
${isRedirect ? codeBlock(`Location: ${location}`) : jsonBlock(text === '' ? '(empty)' : text)}`
}
