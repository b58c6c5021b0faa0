import { clipNumber } from '../text/query-copy.ts'
import { invalidQuery } from './errors.ts'
import { type Comparison, type Filter, foldCase, type Path, type Test } from './filter.ts'
import { createLeaf, systemFieldOf } from './leaf.ts'
import { MAX_LEAVES, rejectLength, rejectPath } from './limits.ts'
import { indexOfUnquoted, isComplete, parseDottedPath, splitUnquoted, unquote } from './quoting.ts'

/** Signs of comparisons, in the order in which they are tried. */
const COMPARISONS: readonly (readonly [string, Comparison | 'eq'])[] = [
  ['>=', 'gte'],
  ['<=', 'lte'],
  ['>', 'gt'],
  ['<', 'lt'],
  ['=', 'eq']
]
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i
const ENDS_WITH_STAR = /^(?:[^\\]|\\.)*\*$/s

/** All `q` parameters of a request: terms `path:value`, joined by `and`. */
export function parseQ(expressions: readonly string[]): Filter {
  const rejection = rejectLength(expressions.join(','))
  if (rejection !== undefined) throw invalidQuery(rejection)
  const filters = expressions.flatMap(splitTerms).map(parseTerm)
  if (filters.length > MAX_LEAVES) throw invalidQuery(`more than ${MAX_LEAVES} conditions`)
  return { kind: 'and', filters }
}

/** A part `path:value` of an expression, with its position. */
interface Term {
  readonly text: string
  readonly start: number
}

/** A comma splits only if a term follows it: `name:Hello, world` is one term. */
function splitTerms(expression: string): Term[] {
  const { length } = expression
  if (!isComplete(expression)) {
    throw invalidQuery('a "\\" at the end escapes nothing', { start: length - 1, end: length })
  }
  const terms: Term[] = []
  let start = 0
  for (const chunk of splitUnquoted(expression, ',')) {
    const last = terms.at(-1)
    const end = start + chunk.length
    if (indexOfUnquoted(chunk, ':') !== -1) terms.push({ text: chunk, start })
    else if (last === undefined) throw invalidQuery(`"${chunk}" has no ":"`, { start, end })
    else terms[terms.length - 1] = { ...last, text: `${last.text},${chunk}` }
    start = end + 1
  }
  return terms
}

function parseTerm({ text: term, start }: Term): Filter {
  const colon = indexOfUnquoted(term, ':')
  const at = { start, end: start + term.length }
  if (colon === 0) throw invalidQuery(`"${term}" has no name before the ":"`, at)
  const path = parseDottedPath(term.slice(0, colon))
  const rejection = rejectPath(path)
  if (rejection !== undefined) throw invalidQuery(rejection, at)
  try {
    return createLeaf(path, parseValue(term.slice(colon + 1), path))
  } catch (error) {
    throw Object.assign(Object(error), { at })
  }
}

/** The expression without the spaces that people type around names and values. */
export function tidyExpression(expression: string): string {
  const terms = splitTerms(expression).map(({ text }) => {
    const colon = indexOfUnquoted(text, ':')
    return [text.slice(0, colon), text.slice(colon + 1)].map(trimUnquoted).join(':')
  })
  return terms.join(',')
}

/** Keeps an escaped space at the end. */
function trimUnquoted(text: string): string {
  return text.trimStart().replace(/(?<!\\)\s+$/, '')
}

/**
 * Throws for terms that are valid and most likely a slip of a person who types them, such as
 * `name::ada` and `age:>`. Requests of programs are not checked for them.
 */
export function rejectSlips(expression: string): void {
  for (const { text, start } of splitTerms(expression)) {
    const colon = indexOfUnquoted(text, ':')
    const value = text.slice(colon + 1)
    const from = start + colon + 1
    if (value.startsWith(':')) {
      const end = from + (/^:+/.exec(value)?.[0].length ?? 1)
      const reason = 'a second ":" follows the first; write "\\:" to look for a colon'
      throw invalidQuery(reason, { start: from, end })
    }
    const sign = COMPARISONS.find(([one]) => value.startsWith(one))?.[0]
    if (sign !== undefined && value.slice(sign.length).trim() === '') {
      throw invalidQuery(`"${sign}" has no value after it`, {
        start: from,
        end: from + sign.length
      })
    }
  }
}

function parseValue(value: string, path: Path): Test {
  const isSystem = systemFieldOf(path) !== undefined
  for (const [sign, op] of COMPARISONS) {
    if (value.startsWith(sign)) return createComparison(op, value.slice(sign.length), isSystem)
  }
  // System fields are strings, also if the value looks like a boolean.
  if (!isSystem && (value === 'true' || value === 'false')) {
    return { op: 'in', values: [value === 'true'] }
  }
  return createTextTest(value)
}

function createComparison(op: Comparison | 'eq', operand: string, isSystem: boolean): Test {
  const text = unquote(operand)
  const isNumber = !isSystem && DECIMAL.test(text.trim())
  const value = isNumber ? clipNumber(Number(text)) : text
  return op === 'eq' ? { op: 'in', values: [value] } : { op, value }
}

function createTextTest(value: string): Test {
  const start = value.startsWith('*')
  const rest = start ? value.slice(1) : value
  const end = ENDS_WITH_STAR.test(rest)
  const text = foldCase(unquote(end ? rest.slice(0, -1) : rest))
  if (start) return { op: end ? 'contains' : 'endsWith', text, folded: true }
  return { op: end ? 'startsWith' : 'equals', text, folded: true }
}
