/** A string of HTML; all other strings are escaped when they are inserted into a template. */
export interface Markup {
  readonly markup: string
}

export type Part = Markup | string | number | null | undefined | false | readonly Part[]

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;'
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}

function renderPart(part: Part): string {
  if (part === null || part === undefined || part === false) return ''
  if (typeof part === 'string') return escapeText(part)
  if (typeof part === 'number') return String(part)
  return 'markup' in part ? part.markup : part.map(renderPart).join('')
}

/** A template of HTML that escapes strings; `Markup` is inserted unchanged, arrays are joined. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Markup {
  return { markup: String.raw({ raw: strings }, ...parts.map(renderPart)) }
}
