import { html, type Markup } from '../kernel/html.ts'
import { address } from '../kernel/page-parts.ts'
import { drawCode } from '../kernel/qr-code.ts'
import type { Network, ProcessFacts } from './process-facts.ts'
import type { ServiceView } from './service-view.ts'

type Lan = NonNullable<Network['lan']>

export function networkPanel(network: Network, services: readonly ServiceView[]): Markup {
  const { isReachable, lan } = network
  return html`<section class="panel" id="network"><header><h2 class="panel-title">Network</h2>
<span class="${isReachable ? 'pill open' : 'pill'}">${isReachable ? 'reachable from the network' : 'this machine only'}</span></header>
${lan === undefined ? renderSetting(isReachable) : renderLan(lan, services)}
<p class="small"><a href="/docs/how-to/network">Reach nonet from other machines</a></p>
</section>`
}

function renderSetting(isReachable: boolean): Markup {
  return isReachable
    ? html`<p>The settings tell that other machines can send requests, directly or through a proxy. The console requires the admin token, which was printed at startup.</p>`
    : html`<p>Only programs on this machine can reach these URLs. To try them on a phone or from another machine, start nonet with <code>nonet up --lan</code>.</p>`
}

function renderLan({ urlsOf, token }: Lan, services: readonly ServiceView[]): Markup {
  const [console, ...more] = urlsOf('console')
  if (console === undefined) return html`<p>This machine has no network IP address.</p>`
  const rows = ['console', ...services.map(({ name }) => name)].map((name) => [
    name,
    urlsOf(name)[0]
  ])
  return html`<p>Other machines on the network use these URLs:</p>
<dl class="parts urls">${rows.map(([name, url]) => html`<dt>${name}</dt><dd>${address(url ?? '')}</dd>`)}</dl>
${more.length > 0 && html`<p class="small soft">The machine has more IP addresses: ${more.map((url) => new URL(url).hostname).join(', ')}.</p>`}
${renderSignIn(`${console}/?token=${encodeURIComponent(token)}`, token)}`
}

/** Closed at first, because the screen may be shared. */
function renderSignIn(url: string, token: string): Markup {
  return html`<details><summary>Use the console on another device</summary>
<p>Scan the code, or open the console there and paste the admin token. Both let a person read and change all data: show them only to people who may.</p>
${drawCode(url)}
<p>Admin token</p>
${address(token, 'Copy the token')}
</details>`
}

export function processPanel(facts: ProcessFacts): Markup {
  const { folder, isTemporary, database } = facts
  return html`<section class="panel" id="process"><header><h2 class="panel-title">This process</h2></header>
<dl class="parts">
<dt>Data</dt><dd><code>${folder}</code>${isTemporary && html` <span class="soft">deleted on exit</span>`}</dd>
${database !== undefined && html`<dt>Tables</dt><dd><code>${database}</code></dd>`}
<dt>Health</dt><dd><ul><li><a href="/healthz">/healthz</a> <span class="soft">the process runs</span></li><li><a href="/readyz">/readyz</a> <span class="soft">all services are ready</span></li></ul></dd>
<dt>Metrics</dt><dd><a href="/metrics">/metrics</a> <span class="soft">Prometheus text format</span></dd>
<dt>Stop</dt><dd>Press <kbd>Ctrl+C</kbd> in the terminal where nonet was started.</dd>
</dl>
</section>`
}
