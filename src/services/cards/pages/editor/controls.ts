import { html, type Markup, type Part } from '../../../../kernel/html.ts'
import type { FieldErrors } from './field-errors.ts'

/** A control of the form with what is said about it. */
export interface Control {
  readonly name: string
  readonly label: string
  readonly hint?: Part
  readonly errors: FieldErrors
}

/** Attributes that tie a control to its label, its hint and its error. */
export function attributes({ name, hint, errors }: Omit<Control, 'label'>): Markup {
  const error = errors.get(name)
  const described = [
    ...(hint === undefined ? [] : [`hint-${name}`]),
    ...(error === undefined ? [] : [`error-${name}`])
  ]
  return html`id="f-${name}" name="${name}"${
    described.length > 0 && html` aria-describedby="${described.join(' ')}"`
  }${error !== undefined && html` aria-invalid="true"`}`
}

/** The control between its label and its error. */
export function renderControl(control: Control, element: Markup): Markup {
  const { name, label, hint } = control
  return html`<div class="control" data-control="${name}">
<label for="f-${name}">${label}</label>
${element}
${hint !== undefined && html`<p class="hint" id="hint-${name}">${hint}</p>`}${renderError(control)}
</div>`
}

/** Always there, so that scripts can fill it. */
export function renderError({ name, errors }: Pick<Control, 'name' | 'errors'>): Markup {
  const error = errors.get(name)
  return html`<p class="error" id="error-${name}"${error === undefined && html` hidden`}>${error}</p>`
}

export interface Choice {
  readonly value: string
  readonly text: string
}

export function renderSelect(
  control: Control,
  choices: readonly Choice[],
  chosen: string,
  more: Part = ''
): Markup {
  const options = choices.map(
    ({ value, text }) =>
      html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`
  )
  return renderControl(control, html`<select ${attributes(control)}${more}>${options}</select>`)
}

export function renderInput(control: Control, value: string, more: Part = ''): Markup {
  return renderControl(control, html`<input ${attributes(control)} value="${value}"${more}>`)
}
