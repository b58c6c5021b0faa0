import { compileLinear, compileOnce, measurePattern } from '../../../kernel/linear-pattern.ts'
import { spend } from './budget.ts'

interface Pattern {
  test: (text: string) => boolean
  toString: () => string
}

/** Cost of each character of a string; a nested pattern takes microseconds for one. */
const STEPS_PER_CHARACTER = 20
/** Parts of a pattern that cost one more step per character, as each may have to be tried. */
const PARTS_PER_STEP = 10

/** Compiles each pattern only once, however often a schema has it. */
export function createPatterns(): (source: string) => Pattern {
  return compileOnce(createPattern)
}

function createPattern(source: string): Pattern {
  const test = compileLinear(source, { isSteady: true })
  const cost = STEPS_PER_CHARACTER + measurePattern(source).size / PARTS_PER_STEP
  return {
    test(text) {
      spend(text.length * cost)
      return test(text)
    },
    toString: () => `/${source}/`
  }
}
