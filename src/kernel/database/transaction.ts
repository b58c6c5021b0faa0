/** What a statement may be given; `?` in the text stands for each in turn. */
export type SqlValue = string | number | null | Uint8Array

/** A step that inserts one row and returns nothing may join its neighbours. */
export interface SqlStep {
  readonly sql: string
  readonly args: readonly SqlValue[]
  /** Rows of a burst with equal `sql` may become one statement. */
  readonly batchable?: true
  /** Set by `queryAlone`: nothing follows, so that PostgreSQL needs no transaction around it. */
  readonly alone?: true
}

export type Rows = readonly Readonly<Record<string, unknown>>[]

/**
 * Work on the database as a generator of steps. SQLite runs it to its end without a pause, so
 * nobody's statement slips in between; PostgreSQL awaits each step inside a serializable
 * transaction, which comes to the same. It may be run again from its start, so it changes nothing
 * but the database. A failed step ends it: it may translate the error, but not go on.
 */
export type Transaction<T> = Generator<SqlStep, T, Rows>

/** One statement; the caller names the columns it reads. */
export function* query<Row extends object>(
  sql: string,
  ...args: SqlValue[]
): Transaction<readonly Row[]> {
  const rows = yield { sql, args }
  return rows as readonly Row[]
}

/** The only statement of a plan. */
export function* queryAutocommit<Row extends object>(
  sql: string,
  ...args: SqlValue[]
): Transaction<readonly Row[]> {
  const rows = yield { sql, args, alone: true }
  return rows as readonly Row[]
}

/** `insert into … values (…)` of one row, without `returning`. */
export function* insertRow(
  table: string,
  row: Readonly<Record<string, SqlValue>>
): Transaction<void> {
  const columns = Object.keys(row)
  const marks = columns.map(() => '?').join(', ')
  const sql = `insert into ${table} (${columns.join(', ')}) values (${marks})`
  yield { sql, args: Object.values(row), batchable: true }
}

/**
 * A statement around `values (…)` of one row that answers nothing, such as an insert that also
 * notes what it did. The row holds every argument, and brackets in it no further ones.
 */
export function* insertStatement(sql: string, ...args: SqlValue[]): Transaction<void> {
  yield { sql, args, batchable: true }
}
