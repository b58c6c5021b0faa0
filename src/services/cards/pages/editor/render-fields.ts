import { html, type Markup } from '../../../../kernel/html.ts'
import { DEFAULT_LABEL_COLORS } from '../../records/label-colors.ts'
import type { FieldRow, LabelRow } from '../../store/rows.ts'
import { labelHue, labelText } from '../layout.ts'
import { type CardForm, type EditedBoard, otherFields } from './card-form.ts'
import { attributes, renderError, renderInput, renderSelect } from './controls.ts'
import type { FieldErrors } from './field-errors.ts'
import { fieldName } from './read-form.ts'

const MORE_COLORS = ['sky', 'lime', 'pink', 'black']

/** Labels of the board to choose from, and one that is new. */
export function renderLabelChoice(
  form: CardForm,
  labels: readonly LabelRow[],
  errors: FieldErrors
): Markup {
  const chips = labels.map(
    (label) =>
      html`<label class="chip ${labelHue(label.color)}"><input type="checkbox" name="label" value="${label.id}"${form.labels.includes(label.id) && html` checked`}><span dir="auto">${labelText(label)}</span></label>`
  )
  const isOpen = form.labelName !== '' || errors.has('labelName')
  const colors = [...DEFAULT_LABEL_COLORS, ...MORE_COLORS].map((value) => ({ value, text: value }))
  const name = { name: 'labelName', label: 'Name', errors }
  const color = { name: 'labelColor', label: 'Colour', errors }
  return html`<fieldset class="choice"><legend>Labels</legend>
${labels.length === 0 && html`<p class="hint">This board has no labels yet.</p>`}
<div class="chips">${chips}</div>${renderError({ name: 'label', errors })}
<details${isOpen && html` open`}><summary>New label</summary>
<div class="pair">${renderInput(name, form.labelName, html` maxlength="256" autocomplete="off"`)}
${renderSelect(color, [{ value: '', text: 'none' }, ...colors], form.labelColor)}</div></details>
</fieldset>`
}

/** Date of completion, URL and the other custom fields. */
export function renderFields(form: CardForm, on: EditedBoard, errors: FieldErrors): Markup {
  const completed = { name: 'completed', label: 'Completed', errors }
  const url = { name: 'url', label: 'URL', errors }
  return html`${renderInput(completed, form.completed, html` type="date" max="9999-12-31"`)}
${renderInput(url, form.url, html` type="url" inputmode="url" placeholder="https://" autocomplete="off"`)}
${otherFields(on).map((field) => renderField(field, form, on, errors))}`
}

function renderField(
  { id, name: label, type }: FieldRow,
  form: CardForm,
  { options }: EditedBoard,
  errors: FieldErrors
): Markup {
  const name = fieldName(id)
  const value = form.fields.get(id) ?? ''
  const control = { name, label, errors }
  switch (type) {
    case 'checkbox':
      return html`<div class="control"><label class="check"><input type="checkbox" ${attributes(control)} value="true"${value !== '' && html` checked`}> ${label}</label>${renderError(control)}</div>`
    case 'list': {
      const choices = options
        .filter(({ field }) => field === id)
        .map((option) => ({ value: option.id, text: option.text }))
      return renderSelect(control, [{ value: '', text: '–' }, ...choices], value)
    }
    case 'date':
      return renderInput(control, value, html` type="datetime-local"`)
    case 'number':
      return renderInput(control, value, html` inputmode="decimal" autocomplete="off"`)
    default:
      return renderInput(control, value, html` dir="auto" autocomplete="off"`)
  }
}
