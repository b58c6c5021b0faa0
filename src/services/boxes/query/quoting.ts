import { cleanText } from '../text/query-copy.ts'
import type { Path } from './filter.ts'

const COMPLETE = /^(?:[^\\]|\\.)*$/s

/** False if there is a `\` at the end that escapes nothing. */
export function isComplete(text: string): boolean {
  return COMPLETE.test(text)
}

/** Position of the first `character` without a `\` before it; -1 if there is none. */
export function indexOfUnquoted(text: string, character: string, start = 0): number {
  for (let at = start; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === character) return at
  }
  return -1
}

export function splitUnquoted(text: string, separator: string): string[] {
  const parts: string[] = []
  let start = 0
  for (;;) {
    const end = indexOfUnquoted(text, separator, start)
    if (end === -1) return [...parts, text.slice(start)]
    parts.push(text.slice(start, end))
    start = end + 1
  }
}

/** The string without escapes, converted as in the query copy. */
export function unquote(text: string): string {
  return cleanText(text.replaceAll(/\\(.)/gs, '$1'))
}

export function parseDottedPath(text: string): Path {
  return splitUnquoted(text, '.').map(unquote)
}
