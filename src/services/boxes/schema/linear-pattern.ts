import { createRequire } from 'node:module'
import { spend } from './budget.ts'

const require = createRequire(import.meta.url)

interface Pattern {
  test: (text: string) => boolean
  toString: () => string
}

/** What a character of a text costs; a nested pattern takes microseconds for each. */
const STEPS_PER_CHARACTER = 20

/** A pattern whose time grows with the text and no faster; it knows no look-around. */
export function createPattern(source: string): Pattern {
  const { RE2JS }: typeof import('re2js') = require('re2js')
  const pattern = RE2JS.compile(source)
  return {
    test(text) {
      spend(text.length * STEPS_PER_CHARACTER)
      return pattern.matcher(text).find()
    },
    toString: () => `/${source}/`
  }
}
