import { html, type Markup } from '../../../../kernel/html.ts'
import type { CardForm } from './card-form.ts'
import { attributes, renderControl, renderError } from './controls.ts'
import { type FieldErrors, MAX_TEXT } from './field-errors.ts'

export interface TextsView {
  readonly form: CardForm
  readonly errors: FieldErrors
  /** URL that renders the description. */
  readonly previewAction: string
  /** The rendered description, if the page was requested with it. */
  readonly preview: string | undefined
}

/** Title and description; the preview is beside or below the text. */
export function renderTexts({ form, errors, previewAction, preview }: TextsView): Markup {
  const title = { name: 'title', label: 'Title', errors }
  const isShown = preview !== undefined
  return html`${renderControl(
    title,
    html`<input ${attributes(title)} class="title" value="${form.title}" maxlength="${MAX_TEXT}" required dir="auto" autocomplete="off"${form.title === '' && html` autofocus`}>`
  )}
<div class="control" data-control="description">
<div class="label-row"><label for="f-description">Description</label>
<button class="small plain" formaction="${previewAction}" formnovalidate data-preview="${previewAction}" aria-expanded="${String(isShown)}" aria-controls="preview">Preview</button></div>
<div class="write${isShown && ' both'}"><textarea ${attributes({ name: 'description', hint: '', errors })} rows="10" maxlength="${MAX_TEXT}" dir="auto" spellcheck="true">
${form.description}</textarea>
<div id="preview" class="description preview" dir="auto" role="region" aria-label="Preview"${!isShown && html` hidden`}>${{ markup: preview ?? '' }}</div></div>
<p class="hint" id="hint-description">Markdown: **bold**, *italic*, [link](https://…), lists, tables.</p>
${renderError({ name: 'description', errors })}
</div>`
}
