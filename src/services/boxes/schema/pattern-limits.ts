import { SchemaRefused } from './refused.ts'

const MAX_PATTERNS = 50
const MAX_LENGTH = 1000
const MAX_REPEATS = 1000
const MAX_SIZE = 10_000

/** An escape, a class, the bounds of a repeat, or any other character. */
const TOKEN =
  /\\[xpP]\{[^}]*\}|\\[pP]?.|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]|\{\d+(?:,\d*)?\}|./gs
const BOUNDS = /^\{(\d+)(?:,(\d*))?\}$/

/** Compiling writes every repeat out, so a short pattern can become a giant; throws SchemaRefused. */
export function checkPatterns(sources: ReadonlySet<string>): void {
  if (sources.size > MAX_PATTERNS) throw new SchemaRefused(`more than ${MAX_PATTERNS} patterns`)
  let repeats = 0
  let size = 0
  for (const source of sources) {
    if (source.length > MAX_LENGTH) {
      throw new SchemaRefused(`a pattern of more than ${MAX_LENGTH} characters`)
    }
    const measured = measurePattern(source)
    repeats += measured.repeats
    size += measured.size
  }
  if (repeats > MAX_REPEATS) {
    throw new SchemaRefused(`the repeats of all patterns add up to more than ${MAX_REPEATS}`)
  }
  if (size > MAX_SIZE) {
    throw new SchemaRefused(
      `the patterns have more than ${MAX_SIZE} parts with repeats written out`
    )
  }
}

interface Measured {
  /** The sum of the greatest numbers in braces. */
  readonly repeats: number
  /** Characters and classes, each as often as it is written out. */
  readonly size: number
}

export function measurePattern(source: string): Measured {
  const outer: number[] = []
  let repeats = 0
  let size = 0
  let last = 0
  for (const [token] of source.matchAll(TOKEN)) {
    // Quoted text would be read as something else here; ECMA-262 does not know it either.
    if (token === '\\Q') throw new SchemaRefused(`invalid pattern, \\Q is unknown: ${source}`)
    const bounds = BOUNDS.exec(token)
    if (bounds !== null) {
      const times = Math.max(Number(bounds[1]), Number(bounds[2] ?? 0))
      repeats += times
      size += last * Math.max(times - 1, 0)
      last *= Math.max(times, 1)
    } else if (token === '(') {
      outer.push(size)
      size = 0
    } else if (token === ')') {
      last = size + 1
      size = (outer.pop() ?? 0) + last
    } else {
      last = 1
      size += 1
    }
  }
  return { repeats, size: outer.reduce((sum, part) => sum + part, size) }
}
