import { html, type Markup } from '../kernel/html.ts'
import type { Page } from '../kernel/page.ts'
import { glyph } from '../kernel/page-icons.ts'
import { address, codeTabs, time } from '../kernel/page-parts.ts'
import { countText, linePoints, lineTitle, sizeText } from './browser/figures.ts'
import { networkPanel, processPanel } from './home-panels.ts'
import type { ProcessFacts } from './process-facts.ts'
import type { ServiceState, ServiceStatus, ServiceView } from './service-view.ts'
import { snippetsOf, startCommand } from './snippets.ts'
import type { Statuses, Totals } from './status.ts'

const NUMBERS = 'No,One,Two,Three,Four,Five,Six,Seven,Eight,Nine'.split(',')
const PILLS: Readonly<Record<ServiceState, string>> = {
  running: 'pill',
  starting: 'pill open',
  'not ready': 'pill off'
}

export interface Home {
  services: readonly ServiceView[]
  statuses: Statuses
  totals: Totals
  facts: ProcessFacts
  /** URL of the console from the reader's point of view. */
  console: string
}

/** The start page of the console. */
export function homePage(home: Home): Page {
  const { services, statuses, facts, console } = home
  const listening = services.filter(({ url }) => url !== '')
  const isLong = facts.network.lan !== undefined
  return {
    title: titleOf(services.length),
    heading: html`<div class="head"><h1>${titleOf(services.length)}</h1>${renderFigures(home)}</div>`,
    main: html`<div class="nine">
${services.map((service) => renderCard(service, statuses.get(service.name)))}
</div>
${renderNotStarted(home)}
<div class="columns spaced">
<div class="pile">
<section class="panel" id="snippets"><header><h2 class="panel-title">Use it in your project</h2></header>
${codeTabs('snippets', snippetsOf(listening, console))}
<p class="soft small">“Snippets” of a service has the same for this service alone. <code>npx nonet up -- npm test</code> runs a command with these variables set.</p>
</section>
${isLong && processPanel(facts)}
</div>
<div class="pile">
${networkPanel(facts.network, services)}
${!isLong && processPanel(facts)}
</div>
</div>`,
    script: '/assets/home.js'
  }
}

function titleOf(count: number): string {
  return `${NUMBERS[count] ?? count} ${count === 1 ? 'service' : 'services'}, running here`
}

function renderFigures({ totals, facts }: Home): Markup {
  const figure = (name: string, text: string) => html`<b data-figure="${name}">${text}</b>`
  return html`<ul class="facts">
<li>${figure('running', countText(totals.running))} running</li>
<li>up since <b>${time(facts.startedAt)}</b></li>
<li>${figure('requests', countText(totals.requests))} requests</li>
<li title="Responses with a status of 500 or above">${figure('failed', countText(totals.failed))} failed</li>
<li>data ${figure('data', sizeText(totals.dataBytes))}</li>
<li><span class="pill" id="live" hidden>live</span></li>
</ul>`
}

function renderCard(service: ServiceView, status: ServiceStatus | undefined): Markup {
  const { name, summary, compatibleWith, url, ports } = service
  const { state = 'starting', reason, activity } = status ?? {}
  return html`<section class="card ${name}" id="service-${name}" aria-labelledby="name-${name}">
<header>${glyph(name)}<h2 id="name-${name}">${name}</h2><span class="${PILLS[state]}">${state}</span>${renderLine(activity?.minutes ?? [])}</header>
<div><p>${summary.charAt(0).toUpperCase()}${summary.slice(1)}</p>
<p class="small soft">for clients of ${compatibleWith}</p>
${ports.map((port) => html`<p class="small soft">${port.summary}: <code>${port.url}</code></p>`)}
<p class="small bad problem"${reason === undefined && html` hidden`}>${reason}</p></div>
${url === '' ? html`<p class="soft">The URL appears here when the service listens.</p>` : address(url)}
${renderLinks(service)}
</section>`
}

function renderLine(minutes: readonly number[]): Markup {
  return html`<svg class="spark" viewBox="0 0 76 24" role="img"><title>${lineTitle(minutes)}</title><polyline points="${linePoints(minutes)}"/></svg>`
}

function renderLinks({ name, page, links }: ServiceView): Markup {
  const link = (href: string, text: string) =>
    html`<li><a href="${href}">${text}<span class="hidden"> of ${name}</span></a></li>`
  return html`<ul class="links">
${page !== undefined && html`<li><a href="${page}">Open<span class="hidden"> ${name}</span></a></li>`}
${link(`/api/${name}`, 'API')}
${link(`/snippets/${name}`, 'Snippets')}
${link(`/docs/services/${name}`, 'Docs')}
${links.map(({ path, text }) => html`<li><a href="${path}">${text}</a></li>`)}
</ul>`
}

function renderNotStarted({ services, facts, console }: Home): Markup | false {
  const { notStarted } = facts
  if (notStarted.length === 0) return false
  const listening = services.filter(({ url }) => url !== '')
  return html`<p class="soft">Not started: ${notStarted.join(', ')}. To start ${notStarted.length === 1 ? 'it' : 'one'} too, stop nonet and add its name: <code>${startCommand(listening, console)} ${notStarted[0]}</code></p>`
}
