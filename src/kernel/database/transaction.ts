/** Type of the values bound to the `?` placeholders of a statement. */
export type SqlValue = string | number | null | Uint8Array

/** One SQL statement of a transaction. */
export interface SqlStep {
  readonly sql: string
  readonly args: readonly SqlValue[]
  /** It inserts one row and returns none; such steps with equal `sql` may become one statement. */
  readonly batchable?: true
  /** Set by `queryAutocommit`: no statement follows, so PostgreSQL needs no explicit transaction. */
  readonly alone?: true
  /** Set if SQLite skips it. */
  readonly postgresOnly?: true
}

/** A topic to be published on the channel of the database after the commit. */
export interface NotifyStep {
  readonly topic: string
}

export type Rows = readonly Readonly<Record<string, unknown>>[]

/**
 * A transaction as a generator of steps. SQLite runs it synchronously, so no other statement runs
 * in between; PostgreSQL awaits each step in a serializable transaction, with the same effect. It
 * may be repeated from the start, so it must have no side effects outside the database. A failed
 * step ends it: it may translate the error, but not continue.
 */
export type Transaction<T> = Generator<SqlStep | NotifyStep, T, Rows>

/** One statement; the caller declares the type of its rows. */
export function* query<Row extends object>(
  sql: string,
  ...args: SqlValue[]
): Transaction<readonly Row[]> {
  const rows = yield { sql, args }
  return rows as readonly Row[]
}

/** The only statement of a transaction. */
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
 * A statement with `values (…)` of one row that returns no rows, such as an insert that also logs
 * the change. All arguments are in the row; parentheses in it must not be nested.
 */
export function* insertStatement(sql: string, ...args: SqlValue[]): Transaction<void> {
  yield { sql, args, batchable: true }
}

/** Publishes a topic to all processes after the commit of a write; nothing after a rollback. */
export function* notify(topic: string): Transaction<void> {
  if (topic.includes(' ')) throw new Error(`A topic contains no spaces: ${topic}`)
  yield { topic }
}

/**
 * Waits until no other transaction of these tables has the lock, which is released after the
 * commit. SQLite runs one transaction at a time anyway.
 */
export function* lockUntilCommit(name: string): Transaction<void> {
  const sql = 'select pg_advisory_xact_lock(hashtextextended(current_schema() || ?, 0))'
  yield { sql, args: [` ${name}`], postgresOnly: true }
}
