import type { Engine } from '../../../kernel/database/database.ts'
import { groupsOf, placeholders } from '../../../kernel/database/groups.ts'
import {
  insertStatement,
  query,
  type SqlValue,
  type Transaction
} from '../../../kernel/database/transaction.ts'
import { type Log, loggedInsert, noteChange, type Touched } from './log.ts'

const COLUMNS = [
  ...['box', 'id', 'collection', 'created', 'updated', 'expires', 'rev', 'raw', 'doc']
] as const

export interface RecordRow {
  readonly box: number
  readonly id: string
  readonly collection: string | null
  readonly created: number
  readonly updated: number | null
  readonly expires: number | null
  readonly rev: number
  readonly raw: string
  readonly doc: string
}

/** A record after its insertion. */
export interface Inserted extends Touched {
  readonly pk: number
}

/** Rows per statement. SQLite is as fast one by one; on PostgreSQL each is a round trip. */
const GROUP_SIZES: Readonly<Record<Engine, readonly number[]>> = {
  sqlite: [1],
  postgres: [100, 10, 1]
}

const INSERT = `insert into records (${COLUMNS.join(', ')}) values`
const MARKS: Readonly<Record<Engine, string>> = {
  sqlite: '(?, ?, ?, ?, ?, ?, ?, ?, jsonb(?))',
  postgres: '(?, ?, ?, ?, ?, ?, ?, ?, ?)'
}
const RETURNING = 'returning pk, box, id, collection, rev'

/** Built once, because building the statement for each row costs more than the row. */
const GROUP_INSERTS: Readonly<Record<Engine, ReadonlyMap<number, string>>> = {
  sqlite: groupInserts('sqlite'),
  postgres: groupInserts('postgres')
}

function groupInserts(engine: Engine): Map<number, string> {
  return new Map(
    GROUP_SIZES[engine].map((size) => {
      return [size, `${INSERT} ${placeholders(size, MARKS[engine])} ${RETURNING}`]
    })
  )
}

/** Number of a public box without rules; null for any other box, so that the insert fails. */
const PLAIN_BOX = '(select pk from boxes where pk = ? and secret is null and settings is null)'
const PLAIN_INSERT: Readonly<Record<Engine, string>> = {
  sqlite: `${INSERT} ${MARKS.sqlite.replace('?', PLAIN_BOX)}`,
  postgres: loggedInsert(`${INSERT} ${MARKS.postgres.replace('?', PLAIN_BOX)}`)
}

/** Inserts one row; on PostgreSQL together with rows of other requests. */
export function* insertPlain(row: RecordRow, engine: Engine): Transaction<void> {
  const sql = PLAIN_INSERT[engine]
  if (engine === 'postgres') yield* insertStatement(sql, ...valuesOf(row))
  else {
    yield* query(sql, ...valuesOf(row))
    yield* noteChange('create', row.created, row)
  }
}

const SINGLE_INSERT = `${INSERT} ${MARKS.sqlite}`

/** Inserts rows of one box without returning their numbers, in half the time on SQLite. */
export function* insertUnnumbered(
  rows: readonly RecordRow[],
  engine: Engine,
  log: Log,
  time: number
): Transaction<void> {
  if (engine === 'postgres') yield* insertRows(rows, engine, log, time)
  else {
    log.count(rows.length)
    for (const row of rows) {
      yield* query(SINGLE_INSERT, ...valuesOf(row))
      yield* noteChange('create', time, row)
    }
  }
}

/** Inserts rows of one box and returns their numbers. */
export function* insertRows(
  rows: readonly RecordRow[],
  engine: Engine,
  log: Log,
  time: number
): Transaction<Inserted[]> {
  const inserted: Inserted[] = []
  for (const some of groupsOf(rows, GROUP_SIZES[engine])) {
    const sql = GROUP_INSERTS[engine].get(some.length) ?? ''
    const insert = { sql, args: some.flatMap(valuesOf) }
    inserted.push(...(yield* log.apply<Inserted>('create', time, insert)))
  }
  return inserted
}

function valuesOf(row: RecordRow): SqlValue[] {
  return COLUMNS.map((column) => row[column])
}
