import { html, type Markup } from '../kernel/html.ts'
import type { Page } from '../kernel/page.ts'
import type { ConsoleService } from './mounted-service.ts'

const TEXTS = {
  title: 'Running services',
  lead: 'Each service has its own URL and needs no internet access.',
  stop: 'To stop all services, press Ctrl+C in the terminal where nonet was started.',
  probes: 'Health and metrics'
}

export function startPage(services: readonly ConsoleService[], folder: string): Page {
  return {
    title: TEXTS.title,
    crumbs: [{ text: 'console' }],
    main: html`<p class="lead">${TEXTS.lead}</p>
<div class="wide" tabindex="0" role="region" aria-label="Services"><table>
<thead><tr><th scope="col">Service</th><th scope="col">Description</th><th scope="col">URL</th><th scope="col">More</th></tr></thead>
<tbody>${services.map(renderRow)}</tbody>
</table></div>
<h2>${TEXTS.probes}</h2>
<ul>
<li><a href="/healthz">/healthz</a> and <a href="/readyz">/readyz</a>: whether the process runs, and whether it is ready for requests</li>
<li><a href="/metrics">/metrics</a>: metrics in the Prometheus text format</li>
</ul>`,
    foot: html`<p>${TEXTS.stop}</p><p>Data: <code>${folder}</code></p>`
  }
}

function renderRow({ service, mounted, url }: ConsoleService): Markup {
  const links = mounted.consoleLinks ?? []
  return html`<tr>
<th scope="row">${service.name}</th>
<td>${service.summary}<br><span class="soft">for clients of ${service.compatibleWith}</span></td>
<td><a href="${url}${service.tryPath}">${url}${service.tryPath}</a></td>
<td><ul>
<li><a href="/openapi/${service.name}.json">OpenAPI<span class="hidden"> of ${service.name}</span></a></li>
${schemaLink(service, url)}
${links.map(({ path, text }) => html`<li><a href="${path}">${text}</a></li>`)}
</ul></td>
</tr>`
}

function schemaLink({ name, schemaPath }: ConsoleService['service'], url: string): Markup | false {
  if (schemaPath === undefined) return false
  return html`<li><a href="${url}${schemaPath}">Schema<span class="hidden"> of ${name}</span></a></li>`
}

export function tokenPage(message: string): Page {
  return {
    title: 'Admin token required',
    crumbs: [{ text: 'console' }],
    main: html`<p>${message}</p>
<p>This console is reachable from other machines or through a proxy, so it requires the token.
Open the console URL printed at startup, or paste the token here.</p>
<form action="/" method="get">
<label>Admin token <input name="token" type="password" autocomplete="off" required></label>
<button>Open the console</button>
</form>`
  }
}
