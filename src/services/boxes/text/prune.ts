import { endOfString } from './spans.ts'

const QUOTE = 0x22
const OPENING_BRACKET = 0x5b
const CLOSING_BRACKET = 0x5d
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d

/** Valid JSON in which the containers below so many levels are empty. */
export function pruneText(text: string, levels = 64): string {
  const kept: string[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at) - 1
    else if (code < OPENING_BRACKET) continue
    else if (code === OPENING_BRACKET || code === OPENING_BRACE) {
      depth += 1
      if (depth === levels + 1) kept.push(text.slice(from, at + 1))
    } else if (code === CLOSING_BRACKET || code === CLOSING_BRACE) {
      if (depth === levels + 1) from = at
      depth -= 1
    }
  }
  return kept.length === 0 ? text : kept.join('') + text.slice(from)
}
