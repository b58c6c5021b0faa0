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

/** A comma splits only if a term follows it: `name:Hello, world` is one term. */
function splitTerms(expression: string): string[] {
  if (!isComplete(expression)) throw invalidQuery('a "\\" at the end escapes nothing')
  const terms: string[] = []
  for (const chunk of splitUnquoted(expression, ',')) {
    const last = terms.at(-1)
    if (indexOfUnquoted(chunk, ':') !== -1) terms.push(chunk)
    else if (last === undefined) throw invalidQuery(`"${chunk}" has no ":"`)
    else terms[terms.length - 1] = `${last},${chunk}`
  }
  return terms
}

function parseTerm(term: string): Filter {
  const colon = indexOfUnquoted(term, ':')
  if (colon === 0) throw invalidQuery(`"${term}" has no name before the ":"`)
  const path = parseDottedPath(term.slice(0, colon))
  const rejection = rejectPath(path)
  if (rejection !== undefined) throw invalidQuery(rejection)
  return createLeaf(path, parseValue(term.slice(colon + 1), path))
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
