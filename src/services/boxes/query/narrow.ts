import type { Engine } from '../../../kernel/database/database.ts'
import type { Json } from '../../../kernel/json.ts'
import { COLUMNS } from './columns.ts'
import type { Dialect } from './dialect.ts'
import { postgres } from './dialect-postgres.ts'
import { sqlite } from './dialect-sqlite.ts'
import { typeOf } from './evaluate.ts'
import type { Comparison, Filter, Path, Scalar, SystemField, Test } from './filter.ts'
import { type Fragment, join, sql } from './fragment.ts'
import { isSystemDate } from './leaf.ts'
import { narrowText } from './narrow-text.ts'

/** A chain of conditions is as deep as it is long, and SQLite rejects a depth of 1000. */
const MAX_CHAIN = 200

const DIALECTS: Readonly<Record<Engine, Dialect>> = { sqlite, postgres }

/**
 * A condition that every match fulfils, so that fewer records are evaluated; undefined if there is
 * none. The evaluator decides, so the condition may be too wide, but not too narrow.
 */
export function narrow(filter: Filter, engine: Engine): Fragment | undefined {
  return narrowBy(filter, DIALECTS[engine])
}

function narrowBy(filter: Filter, dialect: Dialect): Fragment | undefined {
  switch (filter.kind) {
    case 'and':
      return narrowAll(filter.filters, dialect)
    case 'or':
      return narrowAny(filter.filters, dialect)
    case 'not':
      return undefined
    case 'member':
      return narrowMember(filter.path, filter.test, dialect)
    case 'system':
      return narrowSystem(filter.field, filter.test, dialect)
    case 'date':
      return narrowDate(COLUMNS[filter.field], filter.from, filter.to, dialect)
  }
}

function narrowAll(filters: readonly Filter[], dialect: Dialect): Fragment | undefined {
  const parts = filters.map((filter) => narrowBy(filter, dialect))
  const known = parts.filter((part) => part !== undefined).slice(0, MAX_CHAIN)
  return known.length === 0 ? undefined : sql`(${join(known, ' and ')})`
}

function narrowAny(filters: readonly Filter[], dialect: Dialect): Fragment | undefined {
  const parts = filters.map((filter) => narrowBy(filter, dialect))
  const known = parts.filter((part) => part !== undefined)
  if (known.length < parts.length || known.length > MAX_CHAIN) return undefined
  return known.length === 0 ? sql`1 = 0` : sql`(${join(known, ' or ')})`
}

/** Includes records with an array on the path, for which only the evaluator can decide. */
function narrowMember(path: Path, test: Test, dialect: Dialect): Fragment | undefined {
  if (!dialect.supportsPath(path)) return undefined
  const arrays = path.map((_, index) => dialect.hasType(path.slice(0, index + 1), ['array']))
  return sql`(${join([...narrowValue(path, test, dialect), ...arrays], ' or ')})`
}

function narrowValue(path: Path, test: Test, dialect: Dialect): Fragment[] {
  switch (test.op) {
    case 'in':
      return narrowEqual(path, test.values, dialect)
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return [narrowComparison(path, test.op, test.value, dialect)]
    case 'exists':
      return [dialect.exists(path)]
    case 'type':
      return [dialect.hasType(path, test.types)]
    case 'size':
    case 'element':
      return []
    default:
      return [dialect.whenText(path, (x) => narrowText(test, x, dialect))]
  }
}

function narrowEqual(path: Path, values: readonly Json[], dialect: Dialect): Fragment[] {
  const texts = values.filter((value) => typeof value === 'string')
  const numbers = values.filter((value) => typeof value === 'number')
  const booleans = new Set(values.filter((value) => typeof value === 'boolean'))
  const types = values.map(typeOf).filter((type) => type === 'null' || type === 'object')
  const parts = [...booleans].map((value) => dialect.isBoolean(path, value))
  if (texts.length > 0) parts.push(dialect.whenText(path, (x) => dialect.isTextIn(x, texts)))
  if (numbers.length > 0) parts.push(dialect.isNumberIn(path, numbers))
  if (types.length > 0) parts.push(dialect.hasType(path, types))
  return parts
}

function narrowComparison(path: Path, op: Comparison, value: Scalar, dialect: Dialect): Fragment {
  if (typeof value === 'number') return dialect.compareNumber(path, op, value)
  if (typeof value !== 'string') return dialect.hasType(path, [typeOf(value)])
  return dialect.whenText(path, (x) => dialect.compareText(x, op, value))
}

/** A column that is null fulfils no test. */
function narrowSystem(field: SystemField, test: Test, dialect: Dialect): Fragment | undefined {
  const column = sql`${COLUMNS[field]}`
  if (isSystemDate(field)) return sql`${column} is not null`
  if ('text' in test) return narrowText(test, column, dialect)
  if ('value' in test && typeof test.value === 'string') {
    return dialect.compareText(column, test.op, test.value)
  }
  const texts = test.op === 'in' ? test.values.filter((value) => typeof value === 'string') : []
  return texts.length > 0 ? dialect.isTextIn(column, texts) : sql`${column} is not null`
}

function narrowDate(
  column: string,
  from: number,
  to: number,
  dialect: Dialect
): Fragment | undefined {
  const parts: Fragment[] = []
  if (Number.isFinite(from)) parts.push(sql`${column} >= ${dialect.integer(from)}`)
  if (Number.isFinite(to)) parts.push(sql`${column} < ${dialect.integer(to)}`)
  return parts.length === 0 ? undefined : sql`(${join(parts, ' and ')})`
}
