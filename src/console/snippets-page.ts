import { html, type Markup } from '../kernel/html.ts'
import type { Page } from '../kernel/page.ts'
import { address, codeBlock } from '../kernel/page-parts.ts'
import { servicePage } from './service-page.ts'
import type { ServiceView } from './service-view.ts'
import { type Snippet, snippetsOf } from './snippets.ts'

/** Snippets in the first column; the others are longer. */
const SHORT = 3

export function snippetsPage(service: ServiceView, console: string): Page {
  const { name, url } = service
  const snippets = snippetsOf([service], console)
  return servicePage(service, 'Snippets', {
    title: `Snippets of ${name}`,
    main: html`${address(url)}
<div class="columns spaced">
<div class="pile">${snippets.slice(0, SHORT).map(renderSnippet)}
<p class="soft">To run a command with this variable set, without a .env file: <code>npx nonet up ${name} -- npm test</code></p></div>
<div class="pile">${snippets.slice(SHORT).map(renderSnippet)}</div>
</div>`
  })
}

function renderSnippet({ label, text, language }: Snippet): Markup {
  return html`<section class="panel"><header><h2 class="panel-title">${label}</h2></header>
${codeBlock(text, language)}
</section>`
}
