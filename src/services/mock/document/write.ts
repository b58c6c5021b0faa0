import type { Json } from './json.ts'

export type DocumentFormat = 'json' | 'yaml'

/** What a text is written in; flow style of YAML that is no JSON counts as YAML. */
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
  if (form === 'json') return `${JSON.stringify(document, null, 2)}\n`
  const { stringify } = await import('yaml')
  return stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 })
}
