import { chunkSize, multiRowSql } from './insert-batching.ts'
import { query, type SqlValue, type Transaction } from './transaction.ts'

/** Inserts rows of the same columns, many with each statement. */
export function* insertRows(
  table: string,
  rows: readonly Readonly<Record<string, SqlValue>>[]
): Transaction<void> {
  const columns = Object.keys(rows[0] ?? {})
  const marks = columns.map(() => '?').join(', ')
  const insert = `insert into ${table} (${columns.join(', ')}) values (${marks})`
  for (let done = 0; done < rows.length; ) {
    const size = chunkSize(rows.length - done, columns.length)
    const values = rows.slice(done, done + size).flatMap((row) => columns.map((name) => row[name]))
    yield* query(multiRowSql(insert, size), ...values.map((value) => value ?? null))
    done += size
  }
}
