import type { ResolvedBox } from '../box/resolve-box.ts'
import { DEFAULT_LIMIT, InvalidPaging, InvalidTtl, MAX_LIMIT } from '../contract.ts'
import { decodeCursor } from '../query/cursor.ts'
import { invalidFields, invalidQuery } from '../query/errors.ts'
import type { Filter } from '../query/filter.ts'
import { MAX_LEAVES, rejectLength, rejectPath } from '../query/limits.ts'
import { parseQ } from '../query/q-syntax.ts'
import { isComplete, parseDottedPath, splitUnquoted } from '../query/quoting.ts'
import { parseSort } from '../query/sort-syntax.ts'
import { countLeaves, parseWhere } from '../query/where-syntax.ts'
import { createFieldTree, type FieldTree } from '../text/fields.ts'
import type { ListQuery } from './list-query.ts'

/** All conditions of a URL, joined by `and`; undefined if there are none. */
export function readFilter(parameters: URLSearchParams): Filter | undefined {
  const wheres = parameters.getAll('where')
  const rejection = rejectLength(wheres.join())
  if (rejection !== undefined) throw invalidQuery(rejection)
  const filters = wheres.map(parseWhere)
  const expressions = parameters.getAll('q')
  if (expressions.length > 0) filters.push(parseQ(expressions))
  if (filters.length < 2) return filters[0]
  const filter: Filter = { kind: 'and', filters }
  if (countLeaves(filter) > MAX_LEAVES) throw invalidQuery(`more than ${MAX_LEAVES} conditions`)
  return filter
}

/** `fields=a,b.c`; undefined if all are requested. System fields are always included. */
export function readFields(parameters: URLSearchParams): FieldTree | undefined {
  const text = parameters.get('fields')
  if (text === null || text === '') return undefined
  const rejection = rejectLength(text)
  if (rejection !== undefined) throw invalidFields(rejection)
  if (!isComplete(text)) throw invalidFields('a "\\" at the end escapes nothing')
  const paths = splitUnquoted(text, ',').map(parseDottedPath)
  if (paths.length > MAX_LEAVES) throw invalidFields(`more than ${MAX_LEAVES} fields`)
  for (const path of paths) {
    const rejected = rejectPath(path)
    if (rejected !== undefined) throw invalidFields(rejected)
  }
  return createFieldTree(paths)
}

const MAX_TTL_SECONDS = 100 * 365 * 24 * 3600

/** Seconds until a new record expires; undefined if `ttl` is missing or empty. */
export function readTtl(parameters: URLSearchParams): number | undefined {
  const text = parameters.get('ttl')
  if (text === null || text === '') return undefined
  if (!/^\d{1,12}$/.test(text)) throw new InvalidTtl()
  return checkTtl(Number(text))
}

export function checkTtl(seconds: unknown): number {
  const isFine = Number.isSafeInteger(seconds) && Number(seconds) > 0
  if (!isFine || Number(seconds) > MAX_TTL_SECONDS) throw new InvalidTtl()
  return Number(seconds)
}

/** Parameters with other names are ignored, because clients of jsonbox.io send some. */
export function parseListQuery(
  { scope, indexes }: ResolvedBox,
  parameters: URLSearchParams
): ListQuery {
  const sort = parseSort(parameters.get('sort') || undefined)
  const cursor = parameters.get('cursor')
  return {
    scope,
    indexes,
    sort,
    filter: readFilter(parameters),
    after: cursor ? decodeCursor(sort, cursor) : undefined,
    skip: readNumber(parameters, 'skip') ?? readNumber(parameters, 'offset') ?? 0,
    limit: Math.min(readNumber(parameters, 'limit') ?? DEFAULT_LIMIT, MAX_LIMIT) || MAX_LIMIT
  }
}

/** Undefined if the parameter is missing or empty. */
function readNumber(parameters: URLSearchParams, name: string): number | undefined {
  const text = parameters.get(name)
  if (text === null || text === '') return undefined
  if (!/^\d+$/.test(text)) throw new InvalidPaging(name)
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER)
}

/** Whether matches are counted: `count=true`, or `Prefer: count=exact` (RFC 7240). */
export function wantsCount(parameters: URLSearchParams, prefer: string): boolean {
  return parameters.get('count') === 'true' || /(?:^|[,;\s])count=exact(?:$|[,;\s])/.test(prefer)
}
