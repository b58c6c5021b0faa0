import type { Engine } from '../../../kernel/database/database.ts'
import { COLUMNS, sqlitePath } from './columns.ts'
import type { Path, SystemField } from './filter.ts'
import { bind, type Fragment, join, sql } from './fragment.ts'
import { RANKS } from './order.ts'
import type { Sort, SortField } from './sort-syntax.ts'

/** A sort field as columns of one type each; at most one of `number` and `text` is not null. */
export interface KeyColumns {
  /** Undefined if all records have the same rank. */
  readonly rank?: Fragment
  readonly number?: Fragment
  readonly text?: Fragment
}

/** The expression after `order by`: exactly the order of `comparePositions`. */
export function orderSql(sort: Sort, engine: Engine): Fragment {
  const parts = sort.flatMap((field) => {
    const { rank, number, text } = keyColumns(field, engine)
    const columns = [rank, number, text].filter((column) => column !== undefined)
    return columns.map((column) => sql`${column}${directionOf(field.descending)}`)
  })
  return join([...parts, sql`pk`], ', ')
}

function directionOf(descending: boolean): string {
  return descending ? ' desc' : ''
}

export function keyColumns({ system, path }: SortField, engine: Engine): KeyColumns {
  if (system !== undefined) return systemColumns(system, engine)
  return engine === 'sqlite' ? sqliteColumns(path) : postgresColumns(path)
}

function systemColumns(field: SystemField, engine: Engine): KeyColumns {
  const column = sql`${COLUMNS[field]}`
  const text = engine === 'sqlite' ? column : sql`${column} collate "C"`
  const present = (rank: number) => sql`case when ${column} is null then 0 else ${String(rank)} end`
  if (field === '_createdOn') return { number: column }
  if (field === '_updatedOn') return { rank: present(RANKS.number), number: column }
  return field === '_id' ? { text } : { rank: present(RANKS.string), text }
}

function sqliteColumns(path: Path): KeyColumns {
  const position = bind(sqlitePath(path))
  const type = sql`json_type(doc, ${position})`
  const value = sql`json_extract(doc, ${position})`
  const numbers = "('integer', 'real', 'true', 'false')"
  return {
    rank: sql`case ${type} when 'integer' then 1 when 'real' then 1 when 'text' then 2
      when 'object' then 3 when 'array' then 4 when 'true' then 5 when 'false' then 5 else 0 end`,
    // Without the cast, integers above 2^53 would be compared with all their digits.
    number: sql`case when ${type} in ${numbers} then cast(${value} as real) end`,
    text: sql`case ${type} when 'text' then ${value} end`
  }
}

function postgresColumns(path: Path): KeyColumns {
  // Not `#>`, which reads a name like "0" as an index in an array.
  const value = sql`(doc${join(
    path.map((name) => sql` -> ${bind(name, '::text')}`),
    ''
  )})`
  const type = sql`jsonb_typeof(${value})`
  return {
    rank: sql`case ${type} when 'number' then 1 when 'string' then 2 when 'object' then 3
      when 'array' then 4 when 'boolean' then 5 else 0 end`,
    number: sql`case ${type} when 'number' then ${value}::float8
      when 'boolean' then ${value}::boolean::int::float8 end`,
    text: sql`(case ${type} when 'string' then ${value} #>> '{}' end) collate "C"`
  }
}
