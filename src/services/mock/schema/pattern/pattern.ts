import type { AST } from '@eslint-community/regexpp'
import { compileLinear, compileOnce } from '../../../../kernel/linear-pattern.ts'
import { toRe2 } from '../../../../kernel/re2-syntax.ts'
import { hasOneWay } from './one-way.ts'
import { isLinear } from './safety.ts'
import { parsePattern } from './syntax.ts'

/** Longer strings never match, because even linear time is too long for ten million characters. */
export const MAX_TEXT_LENGTH = 1_000_000

export interface Pattern {
  test: (text: string) => boolean
  flags: 'u' | ''
  tree: AST.Pattern
  toString: () => string
}

export interface Patterns {
  /** Throws an error with a message if no engine runs this pattern in linear time. */
  get: (source: string) => Pattern
}

/** Compiles each pattern once per document. */
export function createPatterns(): Patterns {
  return { get: compileOnce(compilePattern) }
}

export function compilePattern(source: string): Pattern {
  const { tree, flags } = parsePattern(source)
  const isSafe = isLinear(tree) || hasOneWay(tree, flags)
  const test = isSafe ? compileNative(source, flags) : compileRe2(source, tree)
  return { test, flags, tree, toString: () => source }
}

function compileNative(source: string, flags: string): (text: string) => boolean {
  const expression = new RegExp(source, flags)
  return (text) => expression.test(text)
}

function compileRe2(source: string, tree: AST.Pattern): (text: string) => boolean {
  const translated = toRe2(tree)
  if (translated === undefined) {
    throw new Error(
      `the pattern ${source} can take exponential time: it combines look-around or a back-reference with nested or multiple variable repetitions`
    )
  }
  return compileLinear(translated, { maxTextLength: MAX_TEXT_LENGTH, isSteady: true })
}
