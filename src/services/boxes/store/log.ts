import type { Engine } from '../../../kernel/database/database.ts'
import { OLDEST_WRITER } from '../../../kernel/database/in-use-lock.ts'
import { query, queryAutocommit, type Transaction } from '../../../kernel/database/transaction.ts'
import type { Fragment } from '../query/fragment.ts'

export type Operation = 'create' | 'update' | 'delete'

/** Columns that a logged statement on `records` must return, among others. */
export interface Touched {
  readonly box: number
  readonly id: string
  readonly collection: string | null
  readonly rev: number
}

/** Maximum number of changes in one transaction. */
export const MAX_CHANGES = 4095
export const NUMBERS_PER_TRANSACTION = MAX_CHANGES + 1

/**
 * Change numbers on PostgreSQL. With a counter for each box, its writers would wait for each other,
 * and a sequence is not in the order of commits. So the number begins with that of the transaction:
 * no change below the number of the oldest running transaction (`HORIZON`) can be committed later,
 * and a reader that stops there misses no change. `feed.base` raises the numbers above those that
 * were restored from another server.
 *
 * `HORIZON` is cheap, but does not advance while any transaction runs on the server, even in
 * another database. `FIND_HORIZON` considers only those that can write this log. Its result is
 * valid for later statements, and is passed to each one that reads beyond `HORIZON`.
 */
const BASE = 'coalesce((select base from feed where id = 1), 0)'
export const TRANSACTION_ID_SQL = `(${BASE} + txid_current() * ${NUMBERS_PER_TRANSACTION})`
export const OLDEST_OPEN_TRANSACTION = `(${BASE} + txid_snapshot_xmin(txid_current_snapshot()) * ${NUMBERS_PER_TRANSACTION})`
export const HORIZON_OR_GIVEN = `greatest(${OLDEST_OPEN_TRANSACTION}, ?::bigint)`
const FIND_HORIZON = `select ${BASE} + ${OLDEST_WRITER} * ${NUMBERS_PER_TRANSACTION} as horizon`
/** Passed if `FIND_HORIZON` was not run. */
export const NO_HORIZON = 0

/** No uncommitted change has a smaller number. */
export function* findHorizon(engine: Engine): Transaction<number> {
  if (engine === 'sqlite') return Number.MAX_SAFE_INTEGER
  const [found] = yield* query<{ horizon: number }>(FIND_HORIZON)
  return found?.horizon ?? NO_HORIZON
}

const COLUMNS = 'box, seq, op, id, collection, rev, at'

/** SQLite has one writer at a time, so the next number is the greatest plus 1. */
const NEXT =
  '1 + coalesce((select max(seq) from changes where box = ?), (select seq from boxes where pk = ?))'
const NOTE = `insert into changes (${COLUMNS}) values (?, ${NEXT}, ?, ?, ?, ?, ?)`

/** Adds the log entries to an insert of any number of rows that has no `returning`. */
export function loggedInsert(insert: string): string {
  return `with added as (${insert} returning box, id, collection, created) insert into changes (${COLUMNS}) select box, ${TRANSACTION_ID_SQL} + row_number() over (), 'create', id, collection, 1, created from added`
}

export function* noteChange(op: Operation, at: number, touched: Touched): Transaction<void> {
  const { box, id, collection, rev } = touched
  yield* query(NOTE, box, box, box, op, id, collection, rev, at)
}

function wrapped(op: Operation, { sql, args }: Fragment, at: number, offset: number): Fragment {
  const note = `insert into changes (${COLUMNS}) select box, ${TRANSACTION_ID_SQL} + ?::bigint + row_number() over (), '${op}', id, collection, rev, ?::bigint from touched`
  return {
    sql: `with touched as (${sql}), noted as (${note}) select * from touched`,
    args: [...args, offset, at]
  }
}

export interface Log {
  /** To be called with the number of changes that the caller logs with `noteChange`. */
  count: (changes: number) => void
  /** Runs a statement and logs each record it returns; `alone` if the transaction has no other. */
  apply: <Row extends Touched>(
    op: Operation,
    at: number,
    statement: Fragment,
    more?: { alone: true }
  ) => Transaction<readonly Row[]>
}

/** The log of one transaction; a repeated transaction needs a new one. */
export function openLog(engine: Engine): Log {
  let noted = 0
  function count(rows: number): void {
    noted += rows
    if (noted > MAX_CHANGES) throw new Error(`More than ${MAX_CHANGES} changes at once`)
  }
  function* applySqlite<Row extends Touched>(op: Operation, at: number, { sql, args }: Fragment) {
    const rows: readonly Row[] = yield* query<Row>(sql, ...args)
    count(rows.length)
    for (const row of rows) yield* noteChange(op, at, row)
    return rows
  }
  function* applyPostgres<Row extends Touched>(
    op: Operation,
    at: number,
    statement: Fragment,
    more?: { alone: true }
  ) {
    const { sql, args } = wrapped(op, statement, at, noted)
    const run = more?.alone === true ? queryAutocommit<Row> : query<Row>
    const rows: readonly Row[] = yield* run(sql, ...args)
    count(rows.length)
    return rows
  }
  return { count, apply: engine === 'sqlite' ? applySqlite : applyPostgres }
}
