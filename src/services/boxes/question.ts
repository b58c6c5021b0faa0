import { DEFAULT_LIMIT, InvalidPaging, MAX_LIMIT } from './contract.ts'
import { decodeCursor } from './query/cursor.ts'
import type { Filter } from './query/filter.ts'
import { parseQ } from './query/q-syntax.ts'
import { parseSort } from './query/sort-syntax.ts'
import { parseWhere } from './query/where-syntax.ts'
import type { Question } from './slices.ts'
import type { Scope } from './store/scan.ts'

/** All conditions of an address, each of which must hold; undefined without any. */
export function readFilter(parameters: URLSearchParams): Filter | undefined {
  const filters = parameters.getAll('where').map(parseWhere)
  const expressions = parameters.getAll('q')
  if (expressions.length > 0) filters.push(parseQ(expressions))
  return filters.length > 1 ? { kind: 'and', filters } : filters[0]
}

/** Parameters with other names are ignored: clients of the original send stray ones. */
export function readQuestion(scope: Scope, parameters: URLSearchParams): Question {
  const sort = parseSort(parameters.get('sort') || undefined)
  const cursor = parameters.get('cursor')
  return {
    scope,
    sort,
    filter: readFilter(parameters),
    after: cursor ? decodeCursor(sort, cursor) : undefined,
    skip: readNumber(parameters, 'skip') ?? readNumber(parameters, 'offset') ?? 0,
    limit: Math.min(readNumber(parameters, 'limit') ?? DEFAULT_LIMIT, MAX_LIMIT) || MAX_LIMIT
  }
}

/** An empty value counts as none. */
function readNumber(parameters: URLSearchParams, name: string): number | undefined {
  const text = parameters.get(name)
  if (text === null || text === '') return undefined
  if (!/^\d+$/.test(text)) throw new InvalidPaging(name)
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER)
}

/** RFC 7240 spells the same wish as a header. */
export function wantsCount(parameters: URLSearchParams, prefer: string): boolean {
  return parameters.get('count') === 'true' || /(?:^|[,;\s])count=exact(?:$|[,;\s])/.test(prefer)
}
