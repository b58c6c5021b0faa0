import { html, type Markup } from '../../../../kernel/html.ts'
import type { PageRequest } from '../page-request.ts'

/** Works without its script; with it, files can be dropped and the progress is shown. */
export function renderImportForm({ action }: Pick<PageRequest, 'action'>): Markup {
  return html`<form class="stack drop" id="import-form" method="post" enctype="multipart/form-data" action="${action('/import')}">
<label>An export of a board: JSON, or a zip with its files<input type="file" name="export" accept=".json,.zip,application/json,application/zip" required></label>
<label class="pick"><input type="checkbox" name="new-ids" value="true"><span>As a copy, with ids of its own</span></label>
<button>Import</button>
<small>Boards keep their ids and links. Importing the same export again stores nothing twice.</small>
<div id="import-state" aria-live="polite"></div>
</form>`
}
