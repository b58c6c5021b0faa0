import { html, type Markup } from '../../../kernel/html.ts'
import type { Diagnostic } from '../message.ts'
import { table } from './page.ts'
import { fittingRows, restNote } from './paging.ts'

/** Bytes of each table; a page has several of them. */
const MAX_BYTES = 8 * 1024
const MAX_VALUE = 1000
const ALL = 'The JSON of the journal entry has all of them.'

/** The violations of one exchange; `entry` is the number of its journal entry, or 0. */
export function violationList(violations: readonly Diagnostic[], entry = 0): Markup {
  const { rows, rest } = fittingRows(
    violations,
    ({ location, message, severity, code }) => {
      const where = html`<code>${location.join('.')}</code>`
      return html`<tr>
<th scope="row">${entry > 0 ? html`<a href="/__nonet/journal/${entry}">${where}</a>` : where}</th>
<td>${severity !== 'Error' && html`<span class="soft">${severity}: </span>`}${shorten(message)}</td>
<td>${code ?? ''}</td>
</tr>`
    },
    MAX_BYTES
  )
  return html`${table('Violations', ['Location', 'Violation', 'Rule'], html`<tbody>${rows}</tbody>`, { stacks: true })}${restNote(rest, ALL)}`
}

export function headerTable(
  headers: Readonly<Record<string, string | readonly string[]>>,
  label: string
): Markup {
  const { rows, rest } = fittingRows(
    Object.entries(headers),
    ([name, value]) => html`<tr><th scope="row"><code>${shorten(name)}</code></th>
<td>${[value].flat().map((line) => html`<div>${shorten(line)}</div>`)}</td></tr>`,
    MAX_BYTES
  )
  return html`${table(label, ['Header', 'Value'], html`<tbody>${rows}</tbody>`)}${restNote(rest, ALL)}`
}

/** A header may contain a list of all violations. */
function shorten(text: string): string {
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text
}
