import { findAt, formatPointer, splitPointer } from '../../../kernel/json-pointer.ts'

/** Without the leading `#`. */
export { findAt, formatPointer, splitPointer as parsePointer }

/** As it stands in a URI: `$ref` fragments are percent-encoded, some authors forget it. */
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
