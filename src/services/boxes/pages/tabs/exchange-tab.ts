import { html, type Markup } from '../../../../kernel/html.ts'
import { codeTabs } from '../../../../kernel/page-parts.ts'
import type { Imported } from '../../import-export/import.ts'
import { numbers } from '../box-list.ts'
import { alert, hiddenFields, type KeyUse, keyField, note } from '../form-parts.ts'
import type { PageRequest } from '../page-request.ts'

/** Rejected lines that are named on the page. */
const MAX_ERRORS = 20

const TEXTS = {
  export: 'Export',
  exportNote: 'One line of JSON for each record, oldest first, with its id, dates and exact text.',
  exportButton: 'Download the records',
  import: 'Import',
  importNote:
    'One JSON object on each line. A line with the _id of a stored record replaces it; the others become new records.',
  file: 'Or a file with such lines',
  lines: 'Lines to import',
  importButton: 'Import',
  none: 'Choose a file or paste lines first.'
}

export interface ExchangeTab {
  readonly look: PageRequest
  readonly keyUse: KeyUse
  /** URL of the service. */
  readonly url: string
  /** Path of the box. */
  readonly path: string
  readonly imported: Imported | 'nothing' | undefined
}

/** Both forms are sent by the browser itself: one downloads, the other one uploads a file. */
export function exchangeTab({ look, keyUse, url, path, imported }: ExchangeTab): Markup {
  const { box } = look
  const key = keyUse === 'needed' ? ' -H "X-API-KEY: $KEY"' : ''
  return html`${imported !== undefined && importResult(imported)}
<div class="columns"><section class="panel" aria-labelledby="import-title"><header><h2 class="panel-title" id="import-title">${TEXTS.import}</h2></header>
<p class="small soft">${TEXTS.importNote}</p>
<form class="box-form" action="/" method="post" enctype="multipart/form-data" data-plain>
${hiddenFields({ box, tab: 'exchange' }, { action: 'import' })}
${keyField(keyUse)}
<label class="box-text">${TEXTS.lines}<textarea name="lines" class="code" rows="6" spellcheck="false" autocapitalize="off"></textarea></label>
<label class="box-text">${TEXTS.file}<input type="file" name="file" accept=".ndjson,.jsonl,.json,.txt"></label>
<button>${TEXTS.importButton}</button>
</form></section>
<section class="panel" aria-labelledby="export-title"><header><h2 class="panel-title" id="export-title">${TEXTS.export}</h2></header>
<p class="small soft">${TEXTS.exportNote}</p>
<form class="box-form" action="/" method="post" data-plain>
${hiddenFields({ box, tab: 'exchange' })}
${keyField(keyUse)}
<button name="action" value="export">${TEXTS.exportButton}</button>
</form>
${codeTabs('exchange', [
  {
    label: 'curl',
    language: 'shell',
    text: `curl${key} -o records.ndjson '${url}/_export${path}'\ncurl${key} --data-binary @records.ndjson '${url}/_import${path}'`
  }
])}</section></div>`
}

function importResult(imported: Imported | 'nothing'): Markup {
  if (imported === 'nothing') return alert(TEXTS.none)
  const { created, replaced, unchanged, refused, errors } = imported
  const counts = [
    `${numbers.format(created)} stored`,
    `${numbers.format(replaced)} replaced`,
    `${numbers.format(unchanged)} unchanged`,
    `${numbers.format(refused)} rejected`
  ]
  if (refused === 0) return note(counts.join(', '))
  const listed = errors.slice(0, MAX_ERRORS)
  return alert(
    counts.join(', '),
    html`<ul>${listed.map(({ line, message, reason }) => html`<li>Line ${line}: ${message}${reason !== undefined && ` (${reason})`}</li>`)}</ul>`
  )
}
