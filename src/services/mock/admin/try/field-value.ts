import type { Json } from '../../document/json.ts'

/**
 * The value that a person wrote into a field. What does not fit its type is sent as a string, so
 * that mistakes can be tried too.
 */
export function readField(text: string, types: readonly string[]): Json {
  if (types.length === 0 || !types.includes('string')) {
    const parsed = parseJson(text)
    if (parsed !== undefined && typeof parsed !== 'string') return parsed
    if (parsed !== undefined && types.length === 0) return parsed
  }
  return text
}

function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The text of a field that `readField` reads as this value. */
export function writeField(value: unknown, types: readonly string[]): string {
  if (value === undefined) return ''
  if (typeof value !== 'string') return JSON.stringify(value)
  const isAmbiguous = types.length === 0 && parseJson(value) !== undefined
  return isAmbiguous ? JSON.stringify(value) : value
}
