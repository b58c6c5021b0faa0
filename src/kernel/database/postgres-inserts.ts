import { StorageUnavailable } from './errors.ts'
import { chunkSize, multiRowSql, type SingleRowInsert } from './insert-batching.ts'
import type { WritePool } from './postgres-pool.ts'
import { transactionError } from './run-transaction.ts'
import { queryAutocommit, type Transaction } from './transaction.ts'

/** While these are on their way, more rows gather for the next. */
const MAX_UNDER_WAY = 2

interface Row {
  plan: () => Transaction<unknown>
  insertion: SingleRowInsert
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

export interface Inserts {
  add: (plan: () => Transaction<unknown>, insertion: SingleRowInsert) => Promise<unknown>
}

/** Rows for one table that arrive together become one statement. */
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
      insertTogether(pool, chunk).finally(() => {
        table.underWay -= 1
        if (table.rows.length === 0 && table.underWay === 0) tables.delete(sql)
        else pump(sql)
      })
    }
  }

  return {
    add: (plan, insertion) =>
      new Promise((resolve, reject) => {
        const { rows } = tableOf(insertion.sql)
        // The first of a burst waits for the others of its turn.
        if (rows.push({ plan, insertion, resolve, reject }) === 1) {
          setImmediate(pump, insertion.sql)
        }
      })
  }
}

/** Never rejects: every row is answered by itself. */
async function insertTogether(pool: WritePool, rows: readonly Row[]): Promise<void> {
  try {
    await insert(pool, rows)
    for (const { insertion, resolve } of rows) resolve(insertion.result)
  } catch (error) {
    // When the connection is lost the rows may be stored: once more would store them twice.
    if (rows.length === 1 || error instanceof StorageUnavailable) rejectWith(rows, error)
    else await Promise.all(rows.map((row) => insertTogether(pool, [row])))
  }
}

async function insert(pool: WritePool, rows: readonly Row[]): Promise<void> {
  const sql = multiRowSql(rows[0]?.insertion.sql ?? '', rows.length)
  const args = rows.flatMap(({ insertion }) => insertion.args)
  await pool.run(() => queryAutocommit(sql, ...args))
}

function rejectWith(rows: readonly Row[], error: unknown): void {
  for (const { plan, reject } of rows) {
    const begun = plan()
    begun.next()
    reject(transactionError(begun, error))
  }
}
