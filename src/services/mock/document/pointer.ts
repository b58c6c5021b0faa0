import { findAt, formatPointer, splitPointer } from '../../../kernel/json-pointer.ts'

/** Pointers without the leading `#`. */
export { findAt, formatPointer, splitPointer as parsePointer }

/** Decodes a `$ref` fragment; returns it unchanged if the author did not percent-encode it. */
export function parseFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch (error) {
    if (error instanceof URIError) return fragment
    throw error
  }
}

export function formatReference(tokens: readonly string[]): string {
  return `#${formatPointer(tokens.map((token) => encodeURIComponent(token)))}`
}
