import { endOfString } from './spans.ts'

const STRUCTURE = /["{}[\]]/g

/** Valid JSON in which the containers below so many levels are empty. */
export function pruneText(text: string, levels = 64): string {
  const kept: string[] = []
  let depth = 0
  let from = 0
  for (let at = 0; ; ) {
    STRUCTURE.lastIndex = at
    const found = STRUCTURE.exec(text)
    if (found === null) break
    at = found.index + 1
    if (found[0] === '"') at = endOfString(text, found.index)
    else if (found[0] === '{' || found[0] === '[') {
      depth += 1
      if (depth === levels + 1) kept.push(text.slice(from, at))
    } else {
      if (depth === levels + 1) from = at - 1
      depth -= 1
    }
  }
  return kept.length === 0 ? text : kept.join('') + text.slice(from)
}
