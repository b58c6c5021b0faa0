import { isJson } from '../../../kernel/media-type.ts'
import type { Json } from '../document/json.ts'
import { parseJson } from '../document/parse.ts'

/** The value of an external example: of JSON if it is valid, otherwise its text, or Base64. */
export function readExternalValue(bytes: Buffer, type: string): Json {
  const text = decode(bytes)
  if (text === undefined) return bytes.toString('base64')
  return (isJson(type) ? parseJson(text) : undefined) ?? text
}

function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}
