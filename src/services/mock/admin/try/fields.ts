import { html, type Markup } from '../../../../kernel/html.ts'
import type { SchemaFacts } from './schema-facts.ts'

export interface FieldOptions {
  field: string
  label: string
  /** Type, limits, location. */
  hint: string
  required: boolean
  value: string
  facts?: SchemaFacts | undefined
  deprecated?: boolean
}

/**
 * A field of a form. Nothing is checked in the browser, so that requests that violate the document
 * can be sent; empty fields are not sent.
 */
export function renderField(options: FieldOptions): Markup {
  const { label, hint, required, deprecated = false } = options
  const words = [hint, required ? 'required' : '', deprecated ? 'deprecated' : '']
  return html`<label><span><code>${label}</code> ${words.filter((word) => word !== '').join(', ')}</span>${renderControl(options)}</label>`
}

function renderControl({ field, value, facts }: FieldOptions): Markup {
  const options = facts?.options?.map((option) =>
    typeof option === 'string' ? option : JSON.stringify(option)
  )
  if (options !== undefined && (value === '' || options.includes(value))) {
    return html`<select name="${field}"><option value="">not sent</option>${options.map((option) => html`<option${option === value && html` selected`}>${option}</option>`)}</select>`
  }
  const isComplex = facts?.types.some((type) => type === 'object' || type === 'array') === true
  if (isComplex || value.length > 80 || value.includes('\n')) {
    return html`<textarea name="${field}" rows="${isComplex ? 2 : 4}" class="code" spellcheck="false" placeholder="${placeholderOf(facts)}">
${value}</textarea>`
  }
  return html`<input name="${field}" value="${value}" class="code" autocomplete="off" spellcheck="false">`
}

function placeholderOf(facts: SchemaFacts | undefined): string {
  if (facts?.types.includes('array') === true) {
    return /of (?:integer|number)/.test(facts.text) ? '[1, 2]' : '["a", "b"]'
  }
  return facts?.types.includes('object') === true ? '{"name": "value"}' : ''
}
