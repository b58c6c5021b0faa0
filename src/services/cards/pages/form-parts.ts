import { html, type Markup, type Part } from '../../../kernel/html.ts'

/** A form that posts and is one button. */
export function buttonForm(
  action: string,
  text: string,
  { fields = {}, kind = 'quiet', label }: ButtonOptions = {}
): Markup {
  return html`<form method="post" action="${action}">${Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`
  )}<button class="${kind}"${label !== undefined && html` aria-label="${label}"`}>${text}</button></form>`
}

interface ButtonOptions {
  fields?: Readonly<Record<string, string>>
  kind?: 'quiet' | 'danger'
  /** For screen readers, if the text alone does not tell what it does. */
  label?: string
}

/** Options of a select; the chosen one is marked. */
export function renderOptions(
  options: readonly (readonly [value: string, text: string])[],
  chosen: string
): Markup[] {
  return options.map(
    ([value, text]) =>
      html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`
  )
}

/** A part of a page with a title. */
export function panel(id: string, title: string, content: Part): Markup {
  return html`<section class="panel" id="${id}" aria-labelledby="${id}-title"><header><h2 class="panel-title" id="${id}-title">${title}</h2></header>
${content}
</section>`
}

export function alertNote(message: string | undefined): Markup | false {
  return message !== undefined && html`<p class="note" role="alert">${message}</p>`
}
