import { toExact, writeJson } from './exact-integers.ts'
import type { Json } from './json.ts'

export type DocumentFormat = 'json' | 'yaml'

/** The format of a source text; the flow style of YAML counts as YAML if it is not valid JSON. */
export function formOf(text: string): DocumentFormat {
  if (!/^\uFEFF?\s*[{[]/.test(text)) return 'yaml'
  try {
    JSON.parse(text.replace(/^\uFEFF/, ''))
    return 'json'
  } catch (error) {
    if (error instanceof SyntaxError) return 'yaml'
    throw error
  }
}

export async function writeDocument(document: Json, form: DocumentFormat): Promise<string> {
  if (form === 'json') return `${writeJson(document, 2)}\n`
  const { stringify } = await import('yaml')
  return stringify(document, toExact, { aliasDuplicateObjects: false, lineWidth: 0 })
}
