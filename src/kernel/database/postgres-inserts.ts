import { StorageUnavailable } from './errors.ts'
import { chunkSize, multiRowSql, type SingleRowInsert } from './insert-batching.ts'
import type { WritePool } from './postgres-pool.ts'
import { transactionError } from './run-transaction.ts'
import { queryAutocommit, type Transaction } from './transaction.ts'

/** Rows that waited longer are rejected together with the ones whose connection was lost. */
const LONGEST_WAIT_MS = 5_000
/** Maximum of concurrent inserts per table; rows that arrive meanwhile form the next one. */
const MAX_UNDER_WAY = 2

interface Row {
  transaction: () => Transaction<unknown>
  insertion: SingleRowInsert
  since: number
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

export interface Inserts {
  add: (transaction: () => Transaction<unknown>, insertion: SingleRowInsert) => Promise<unknown>
}

/** Combines rows for one table that are written at the same time into one statement. */
export function createInserts(pool: WritePool): Inserts {
  const tables = new Map<string, { rows: Row[]; underWay: number }>()

  function tableOf(sql: string) {
    const table = tables.get(sql) ?? { rows: [], underWay: 0 }
    tables.set(sql, table)
    return table
  }

  function pump(sql: string): void {
    const table = tableOf(sql)
    while (table.rows.length > 0 && table.underWay < MAX_UNDER_WAY) {
      const [first] = table.rows
      const chunk = table.rows.splice(
        0,
        chunkSize(table.rows.length, first?.insertion.args.length ?? 0)
      )
      table.underWay += 1
      insertTogether(pool, chunk, table.rows).finally(() => {
        table.underWay -= 1
        if (table.rows.length === 0 && table.underWay === 0) tables.delete(sql)
        else pump(sql)
      })
    }
  }

  return {
    add: (transaction, insertion) =>
      new Promise((resolve, reject) => {
        const { rows } = tableOf(insertion.sql)
        // Rows of the same event-loop turn are inserted together.
        if (
          rows.push({ transaction, insertion, since: performance.now(), resolve, reject }) === 1
        ) {
          setImmediate(pump, insertion.sql)
        }
      })
  }
}

/** Never rejects: the promise of each row is settled separately. */
async function insertTogether(
  pool: WritePool,
  rows: readonly Row[],
  waiting: Row[]
): Promise<void> {
  try {
    await insert(pool, rows)
    for (const { insertion, resolve } of rows) resolve(insertion.result)
  } catch (error) {
    const isLost = error instanceof StorageUnavailable
    // No retry after a lost connection: the rows may be stored and would be stored twice.
    if (rows.length === 1 || isLost) rejectWith(rows, error)
    else await Promise.all(rows.map((row) => insertTogether(pool, [row], waiting)))
    if (isLost) rejectWith(takeLate(waiting), error)
  }
}

/** Removes the rows that have waited too long; the oldest are first. */
function takeLate(waiting: Row[]): readonly Row[] {
  const latest = performance.now() - LONGEST_WAIT_MS
  const end = waiting.findIndex(({ since }) => since > latest)
  return waiting.splice(0, end === -1 ? waiting.length : end)
}

async function insert(pool: WritePool, rows: readonly Row[]): Promise<void> {
  const sql = multiRowSql(rows[0]?.insertion.sql ?? '', rows.length)
  const args = rows.flatMap(({ insertion }) => insertion.args)
  await pool.run(() => queryAutocommit(sql, ...args))
}

function rejectWith(rows: readonly Row[], error: unknown): void {
  for (const { transaction, reject } of rows) {
    const begun = transaction()
    begun.next()
    reject(transactionError(begun, error))
  }
}
