import { isNotifyStep } from './run-transaction.ts'
import type { SqlValue, Transaction } from './transaction.ts'

const MAX_ROWS = 128
/** The protocol counts arguments in 16 bits. */
const MAX_ARGUMENTS = 32_767

/** A transaction of one insert; its result is known in advance, because it returns no rows. */
export interface SingleRowInsert {
  sql: string
  args: readonly SqlValue[]
  result: unknown
}

export function asSingleRowInsert(transaction: Transaction<unknown>): SingleRowInsert | undefined {
  const first = transaction.next()
  if (first.done || isNotifyStep(first.value)) return undefined
  if (first.value.batchable !== true || rowOf(first.value.sql) === undefined) {
    return undefined
  }
  const { sql, args } = first.value
  const end = transaction.next([])
  return end.done ? { sql, args, result: end.value } : undefined
}

const ROW = /\bvalues (\((?:[^()]|\([^()]*\))*\))/

function rowOf(sql: string): string | undefined {
  return ROW.exec(sql)?.[1]
}

/** The SQL of a single-row insert for several rows. */
export function multiRowSql(sql: string, rows: number): string {
  const row = rowOf(sql) ?? ''
  return sql.replace(ROW, () => `values ${row}${`, ${row}`.repeat(rows - 1)}`)
}

/** A power of two, so that few different statements are prepared. */
export function chunkSize(waiting: number, columns: number): number {
  const most = Math.min(waiting, MAX_ROWS, Math.floor(MAX_ARGUMENTS / Math.max(columns, 1)))
  return 2 ** Math.floor(Math.log2(most))
}
