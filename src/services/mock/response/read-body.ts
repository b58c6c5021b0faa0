import { isJson, isText } from '../../../kernel/media-type.ts'
import type { Diagnostic } from '../message.ts'

/** A body that nonet did not create, as far as it can be validated. */
export interface ReadBody {
  body: { value: unknown } | undefined
  diagnostics: Diagnostic[]
}

export function readBody(text: string, type: string): ReadBody {
  if (!isJson(type)) return { body: isText(type) ? { value: text } : undefined, diagnostics: [] }
  try {
    return { body: { value: JSON.parse(text) }, diagnostics: [] }
  } catch (error) {
    if (error instanceof SyntaxError) return unreadable('read as JSON')
    throw error
  }
}

export function unreadable(how: string): ReadBody {
  const message = `Response body cannot be ${how}`
  return {
    body: undefined,
    diagnostics: [{ location: ['body'], severity: 'Error', code: 'json', message }]
  }
}
