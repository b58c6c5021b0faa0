import { html, type Markup } from '../../../kernel/html.ts'
import { type PageRequest, pageFields } from './page-request.ts'

const TEXTS = {
  key: 'Key',
  forProtected: 'if the box is protected or private',
  forNew: 'optional; the key of the first record protects the box'
}

/** What the page shows, so that the page after the action shows it too. */
export function hiddenFields(
  look: Partial<PageRequest>,
  more: Record<string, string> = {}
): Markup {
  const fields = [...pageFields(look), ...Object.entries(more)]
  return html`${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`
}

/**
 * `none` in a box without keys, where the field would only be in the way. The field is always empty:
 * a page never contains a key that was sent.
 */
export type KeyUse = 'none' | 'new' | 'needed'

export function keyField(use: KeyUse, required = false): Markup | false {
  if (use === 'none') return false
  const note = use === 'new' ? TEXTS.forNew : TEXTS.forProtected
  return html`<label><span>${TEXTS.key} <span class="soft">(${note})</span></span><input name="key" type="password" size="36" autocomplete="off"${required && html` required`}></label>`
}

/** JSON to type. Browsers drop a line break at the start of a text area, so one more is written. */
export function jsonArea(
  name: string,
  label: string,
  text: string,
  { rows = 10, focus = false }: { rows?: number; focus?: boolean } = {}
): Markup {
  return html`<label class="box-text">${label}<textarea name="${name}" class="code" rows="${rows}" required spellcheck="false" autocapitalize="off"${focus && html` data-focus`}>
${text}</textarea></label>`
}

/** An error of an action, which the script focuses. */
export function alert(title: string, more?: Markup | string | false): Markup {
  return html`<div class="note" role="alert" tabindex="-1" data-focus><p><b>${title}</b></p>${typeof more === 'string' ? html`<p>${more}</p>` : more}</div>`
}

/** A result of an action without errors. */
export function note(text: string): Markup {
  return html`<p class="note" role="status" tabindex="-1" data-focus>${text}</p>`
}

export function boxPath(box: string): string {
  return `/${encodeURIComponent(box).replaceAll("'", '%27')}`
}
