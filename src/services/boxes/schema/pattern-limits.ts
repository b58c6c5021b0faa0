import { measurePattern } from '../../../kernel/linear-pattern.ts'
import { SchemaRejected } from './rejected.ts'

const MAX_PATTERNS = 50
const MAX_LENGTH = 1000
const MAX_REPEATS = 1000
const MAX_SIZE = 10_000

/** Throws SchemaRejected if the patterns of a schema exceed a limit. */
export function checkPatterns(sources: ReadonlySet<string>): void {
  if (sources.size > MAX_PATTERNS) throw new SchemaRejected(`more than ${MAX_PATTERNS} patterns`)
  let repeats = 0
  let size = 0
  for (const source of sources) {
    if (source.length > MAX_LENGTH) {
      throw new SchemaRejected(`a pattern of more than ${MAX_LENGTH} characters`)
    }
    const measured = measurePattern(source)
    // `measurePattern` would misread quoted text, and ECMA-262 does not define it.
    if (measured.hasQuotation) {
      throw new SchemaRejected(`invalid pattern, \\Q is unknown: ${source}`)
    }
    repeats += measured.repeats
    size += measured.size
  }
  if (repeats > MAX_REPEATS) {
    throw new SchemaRejected(`the repeats of all patterns add up to more than ${MAX_REPEATS}`)
  }
  if (size > MAX_SIZE) {
    throw new SchemaRejected(
      `the patterns have more than ${MAX_SIZE} parts with repeats written out`
    )
  }
}
