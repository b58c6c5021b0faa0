import { isDeeperThan, isObject, type Json } from '../../../kernel/json.ts'
import { parsePointer } from '../../../kernel/json-pointer.ts'
import { toQueryValue } from '../text/query-copy.ts'
import { readJson } from '../text/read-json.ts'
import { invalidQuery, UnknownOperator } from './errors.ts'
import type { Filter, Path } from './filter.ts'
import { createLeaf } from './leaf.ts'
import { MAX_DEPTH, MAX_LEAVES, rejectLength, rejectPath } from './limits.ts'
import { hasOperators, isBare, type Leaf, parseOperators } from './operators.ts'

/** Makes a filter of a path: a record has system fields, an element of an array does not. */
type Scope = (path: Path) => Leaf

const ofRecord: Scope = (path) => (test) => createLeaf(path, test)
const ofElement: Scope = (path) => (test) => ({ kind: 'member', path, test })

/** The filter of a `where` parameter, which is JSON. */
export function parseWhere(text: string): Filter {
  const rejection = rejectLength(text)
  if (rejection !== undefined) throw invalidQuery(rejection)
  const value = parseJson(text)
  if (isDeeperThan(value, MAX_DEPTH)) throw invalidQuery(`nested deeper than ${MAX_DEPTH} levels`)
  const filter = parseFilter(toQueryValue(value), ofRecord)
  if (countLeaves(filter) > MAX_LEAVES) throw invalidQuery(`more than ${MAX_LEAVES} conditions`)
  return filter
}

function parseJson(text: string): Json {
  try {
    JSON.parse(text)
  } catch (cause) {
    throw Object.assign(invalidQuery('not JSON'), { cause })
  }
  return readJson(text)
}

function parseFilter(value: Json, scope: Scope): Filter {
  if (!isObject(value)) throw invalidQuery('a filter must be an object')
  const filters = Object.entries(value).map(([name, operand]) =>
    name.startsWith('$') ? parseLogic(name, operand, scope) : parseMember(name, operand, scope)
  )
  return { kind: 'and', filters }
}

function parseLogic(name: string, operand: Json, scope: Scope): Filter {
  switch (name) {
    case '$and':
      return { kind: 'and', filters: parseFilters(name, operand, scope) }
    case '$or':
      return { kind: 'or', filters: parseFilters(name, operand, scope) }
    case '$nor':
      return negate({ kind: 'or', filters: parseFilters(name, operand, scope) })
    case '$not':
      return negate(parseFilter(operand, scope))
    default:
      throw new UnknownOperator(name)
  }
}

function parseFilters(name: string, operand: Json, scope: Scope): Filter[] {
  if (!Array.isArray(operand) || operand.length === 0) {
    throw invalidQuery(`${name} must be an array of filters`)
  }
  return operand.map((filter) => parseFilter(filter, scope))
}

function negate(filter: Filter): Filter {
  return { kind: 'not', filter }
}

function parseMember(name: string, operand: Json, scope: Scope): Filter {
  const leaf = scope(parsePath(name))
  if (!hasOperators(operand)) return leaf({ op: 'in', values: [operand] })
  return parseOperators(operand, leaf, parseElement)
}

/** `{"$gt":5}` tests the element itself, any other filter the members of an element. */
function parseElement(operand: Json): Filter {
  if (!isBare(operand)) return parseFilter(operand, ofElement)
  return parseOperators(operand, ofElement([]), parseElement)
}

function parsePath(name: string): Path {
  const path = name.startsWith('/') ? readPointer(name) : name.split('.')
  const rejection = rejectPath(path)
  if (rejection !== undefined) throw invalidQuery(rejection)
  return path
}

function readPointer(pointer: string): Path {
  const { error, tokens } = parsePointer(pointer)
  if (error !== undefined) throw invalidQuery(`"${pointer}": "~" must be followed by 0 or 1`)
  return tokens
}

/** Number of conditions in a filter. */
export function countLeaves(filter: Filter): number {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.filters.reduce((sum, part) => sum + countLeaves(part), 0)
    case 'not':
      return countLeaves(filter.filter)
    case 'member':
      return filter.test.op === 'element' ? 1 + countLeaves(filter.test.filter) : 1
    default:
      return 1
  }
}
