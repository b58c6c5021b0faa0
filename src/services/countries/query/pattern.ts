import { createCache } from '../../../kernel/cache.ts'
import { compileLinear, respellRegExp } from '../../../kernel/linear-pattern.ts'
import { badInput } from '../engine/errors.ts'

export const MAX_PATTERN = 200
/** Counted repetitions multiply the size of the program, which is run for every character. */
const MAX_PATTERN_WEIGHT = 2000
const MAX_KEPT = 200

export type Matches = (text: string) => boolean

const kept = createCache<Matches>(MAX_KEPT, () => 1)

/** Compiles RE2 syntax; matching takes time linear in the length of the string. */
export function compileRegex(pattern: string): Matches {
  const known = kept.get(pattern)
  if (known !== undefined) return known
  checkLength(pattern, 'regex')
  if (weigh(pattern) > MAX_PATTERN_WEIGHT) throw badInput('This regex has too many repetitions')
  const matches = compile(pattern)
  kept.set(pattern, matches)
  return matches
}

function compile(pattern: string): Matches {
  try {
    return compileLinear(respellRegExp(pattern))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw badInput(`This regex cannot be used: ${reason} (RE2 syntax)`)
  }
}

function weigh(pattern: string): number {
  const counts = [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].map(([, low, high]) =>
    Math.max(1, Number(low), Number(high ?? 0))
  )
  return counts.reduce((product, count) => product * count, pattern.length)
}

/** Matches the whole string: `*` is any characters, `?` is one character. */
export function compileGlob(pattern: string): Matches {
  checkLength(pattern, 'glob')
  return (text) => matchesGlob(pattern, text)
}

function checkLength(pattern: string, what: string): void {
  if (pattern.length > MAX_PATTERN) {
    throw badInput(`A ${what} may have at most ${MAX_PATTERN} characters, not ${pattern.length}`)
  }
}

/** Backtracks to the last star only, so that it takes at most pattern × text steps. */
function matchesGlob(pattern: string, text: string): boolean {
  let p = 0
  let star = -1
  let resume = 0
  for (let t = 0; t < text.length; ) {
    if (pattern[p] === '*') {
      star = p++
      resume = t
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === text[t])) {
      p++
      t++
    } else if (star !== -1) {
      p = star + 1
      t = ++resume
    } else return false
  }
  while (pattern[p] === '*') p++
  return p === pattern.length
}
