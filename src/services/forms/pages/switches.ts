import { flagName } from '../../../kernel/flag-name.ts'
import { html, type Markup, type Part } from '../../../kernel/html.ts'
import { maskUrl } from '../mask-url.ts'
import { settings } from '../settings.ts'
import type { FormOptions } from '../start-check.ts'

type Key = keyof FormOptions

/** The effective settings, each with its flag. */
export function switchTable(options: FormOptions, prefix: string): Markup {
  const keys = Object.keys(settings) as Key[]
  return html`<div class="wide" tabindex="0" role="region" aria-label="Switches"><table class="stack">
<thead><tr><th scope="col">Flag</th><th scope="col">Value</th><th scope="col">Meaning</th></tr></thead>
<tbody>${keys.map(
    (key) => html`<tr>
<th scope="row" class="fit"><code>--${flagName(`forms.${key}`)}</code></th>
<td>${describeValue(key, options, prefix)}</td>
<td>${settings[key].about}</td>
</tr>`
  )}</tbody>
</table></div>`
}

function describeValue(key: Key, options: FormOptions, prefix: string): Part {
  if (key === 'webhook') return describeWebhook(options.webhook, prefix)
  const value = options[key]
  if (key === 'signingSecret') return value === undefined ? notSet('not set') : 'set'
  if (typeof value === 'boolean') return value ? html`<b>on</b>` : notSet('off')
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return notSet('not set')
  return html`<code>${Array.isArray(value) ? value.join(', ') : String(value)}</code>`
}

function describeWebhook(webhook: string | undefined, prefix: string): Markup {
  if (webhook !== undefined) return html`<code>${maskUrl(new URL(webhook))}</code>`
  return html`sample webhook of the console: <a href="${prefix}/catch.json">what it received</a>`
}

function notSet(text: string): Markup {
  return html`<span class="soft">${text}</span>`
}
