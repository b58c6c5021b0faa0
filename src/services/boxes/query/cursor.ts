import { createHash } from 'node:crypto'
import type { Engine } from '../../../kernel/database/database.ts'
import type { Json } from '../../../kernel/json.ts'
import { cleanText } from '../text/query-copy.ts'
import { InvalidCursor } from './errors.ts'
import { bind, type Fragment, sql } from './fragment.ts'
import { type Position, RANKS, type SortKey } from './order.ts'
import { keyColumns } from './order-sql.ts'
import type { Sort, SortField } from './sort-syntax.ts'

/** URLs of a few thousand characters are accepted by all clients and proxies. */
const MAX_CURSOR_CHARACTERS = 2000
const DIGEST_CHARACTERS = 8

/** Undefined if a sort value is too long for a URL; then pages need `skip`. */
export function encodeCursor(sort: Sort, { keys, pk }: Position): string | undefined {
  const parts = keys.map(({ rank, value }) => (value === undefined ? [rank] : [rank, value]))
  const text = JSON.stringify([digestOf(sort), parts, pk])
  const cursor = Buffer.from(text).toString('base64url')
  return cursor.length > MAX_CURSOR_CHARACTERS ? undefined : cursor
}

/** Throws InvalidCursor unless `encodeCursor` returns the same string for this sort. */
export function decodeCursor(sort: Sort, cursor: string): Position {
  const position = cursor.length > MAX_CURSOR_CHARACTERS ? undefined : readPosition(sort, cursor)
  if (position === undefined || encodeCursor(sort, position) !== cursor) throw new InvalidCursor()
  return position
}

function digestOf(sort: Sort): string {
  const text = JSON.stringify(sort.map(({ path, descending }) => [descending, ...path]))
  return createHash('sha256').update(text).digest('base64url').slice(0, DIGEST_CHARACTERS)
}

function readPosition(sort: Sort, cursor: string): Position | undefined {
  const [, keys, pk] = parseList(Buffer.from(cursor, 'base64url').toString())
  if (!Number.isSafeInteger(pk) || keys === undefined || !Array.isArray(keys)) return undefined
  const read = keys.map((key, index) => readKey(sort[index], key))
  const known = read.filter((key) => key !== undefined)
  return known.length === sort.length ? { keys: known, pk: Number(pk) } : undefined
}

function parseList(text: string): readonly Json[] {
  try {
    const value: Json = JSON.parse(text)
    return Array.isArray(value) ? value : []
  } catch (cause) {
    throw Object.assign(new InvalidCursor(), { cause })
  }
}

function readKey(field: SortField | undefined, key: Json): SortKey | undefined {
  if (field === undefined || !Array.isArray(key)) return undefined
  const [rank, value] = key
  if (typeof rank !== 'number' || !isKeyOf(field, rank, value)) return undefined
  return typeof value === 'number' || typeof value === 'string' ? { rank, value } : { rank }
}

/** The engines reject a fraction for an integer column, and a string with U+0000. */
function isKeyOf({ system }: SortField, rank: number, value: Json | undefined): boolean {
  const isTime = rank === RANKS.number && Number.isSafeInteger(value)
  const isText = rank === RANKS.string && typeof value === 'string' && cleanText(value) === value
  const isMissing = rank === RANKS.null && value === undefined
  if (system === '_createdOn') return isTime
  if (system === '_updatedOn') return isTime || isMissing
  if (system === '_id') return isText
  if (system === '_collection') return isText || isMissing
  return isText || isMissing || isOtherKey(rank, value)
}

function isOtherKey(rank: number, value: Json | undefined): boolean {
  if (rank === RANKS.number) return typeof value === 'number'
  if (rank === RANKS.boolean) return value === 0 || value === 1
  return (rank === RANKS.object || rank === RANKS.array) && value === undefined
}

/** The condition for records after the position in this order. */
export function afterSql(sort: Sort, position: Position, engine: Engine): Fragment {
  const pk = bind(position.pk, engine === 'postgres' ? '::bigint' : '')
  let after = sql`pk > ${pk}`
  for (let index = sort.length - 1; index >= 0; index--) {
    const field = sort[index]
    const key = position.keys[index]
    if (field !== undefined && key !== undefined) after = precede(field, key, after, engine)
  }
  return after
}

function signOf(descending: boolean): string {
  return descending ? '<' : '>'
}

/** After the key, or equal to it and after the position in the following fields. */
function precede(field: SortField, key: SortKey, after: Fragment, engine: Engine): Fragment {
  const sign = signOf(field.descending)
  const { rank, number, text } = keyColumns(field, engine)
  const column = typeof key.value === 'string' ? text : number
  const value = key.value === undefined ? undefined : bindValue(field, key.value, engine)
  const within =
    column === undefined || value === undefined
      ? after
      : sql`(${column} ${sign} ${value} or (${column} = ${value} and ${after}))`
  if (rank === undefined) return within
  const own = String(key.rank)
  return sql`(${rank} ${sign} ${own} or (${rank} = ${own} and ${within}))`
}

function bindValue(field: SortField, value: number | string, engine: Engine): Fragment {
  if (typeof value === 'string') return bind(value, engine === 'postgres' ? '::text' : '')
  if (engine === 'postgres')
    return bind(value, field.system === undefined ? '::float8' : '::bigint')
  // SQLite before 3.53 misreads the last bit of some numbers: bound as strings, they are equal.
  return field.system === undefined ? sql`cast(${bind(String(value))} as real)` : bind(value)
}
