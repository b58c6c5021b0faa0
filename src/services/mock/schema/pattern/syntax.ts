import { type AST, RegExpParser } from '@eslint-community/regexpp'

const MAX_PATTERN_LENGTH = 20_000

export interface Parsed {
  source: string
  /** The flag `u` of ECMAScript, unless the pattern is only valid without it. */
  flags: 'u' | ''
  tree: AST.Pattern
}

/** Patterns of JSON Schema are ECMAScript with `u`; many in use are only valid without it. */
export function parsePattern(source: string): Parsed {
  if (source.length > MAX_PATTERN_LENGTH) {
    throw new SyntaxError(`a pattern may have at most ${MAX_PATTERN_LENGTH} characters`)
  }
  try {
    return { source, flags: 'u', tree: parse(source, true) }
  } catch (unicodeError) {
    try {
      return { source, flags: '', tree: parse(source, false) }
    } catch {
      // The error with `u` is the one that the author has to read.
      throw unicodeError
    }
  }
}

function parse(source: string, unicode: boolean): AST.Pattern {
  return new RegExpParser({ ecmaVersion: 2025 }).parsePattern(source, 0, source.length, { unicode })
}
