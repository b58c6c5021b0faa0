import { createRequire } from 'node:module'
import { spend } from './budget.ts'
import { measurePattern } from './pattern-limits.ts'

const require = createRequire(import.meta.url)

interface Pattern {
  test: (text: string) => boolean
  toString: () => string
}

/** What a character of a text costs; a nested pattern takes microseconds for each. */
const STEPS_PER_CHARACTER = 20
/** Parts of a pattern that cost a step more, as each may have to be tried. */
const PARTS_PER_STEP = 10

/** Makes each pattern once, in however many places it stands. */
export function createPatterns(): (source: string) => Pattern {
  const made = new Map<string, Pattern>()
  return (source) => {
    const pattern = made.get(source) ?? createPattern(source)
    made.set(source, pattern)
    return pattern
  }
}

/** A pattern whose time grows with the text and no faster; it knows no look-around. */
function createPattern(source: string): Pattern {
  const { RE2JS }: typeof import('re2js') = require('re2js')
  const pattern = RE2JS.compile(source)
  const cost = STEPS_PER_CHARACTER + measurePattern(source).size / PARTS_PER_STEP
  return {
    test(text) {
      spend(text.length * cost)
      return pattern.matcher(text).find()
    },
    toString: () => `/${source}/`
  }
}
