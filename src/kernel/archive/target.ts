import type { Engine } from '../database/database.ts'
import { insertRow, type Transaction } from '../database/transaction.ts'
import type { BackupRow, ServiceBackup, TableHeader } from './portable.ts'

/** A place that receives whole services: all of them or, when anything fails, none. */
export interface RestoreTarget extends AsyncDisposable {
  readonly engine: Engine
  /** Rows that are in the service's place already. */
  countRows: (stored: ServiceBackup) => Promise<number>
  /** New, empty tables as they were at that step of the schema. */
  prepare: (stored: ServiceBackup, step: number) => Promise<void>
  insert: (stored: ServiceBackup, head: TableHeader, rows: readonly BackupRow[]) => Promise<void>
  /** What has arrived. */
  read: (stored: ServiceBackup, head: TableHeader) => AsyncIterable<readonly BackupRow[]>
  /** The steps of the schema that are missing. */
  complete: (stored: ServiceBackup) => Promise<void>
  commit: () => Promise<void>
}

export function restoreRow(
  { derived }: ServiceBackup,
  { table, columns }: TableHeader,
  row: BackupRow,
  engine: Engine
): Transaction<void> {
  const named = Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null]))
  const own = derived?.[table]
  if (own !== undefined) return own.restoreRow(named, engine)
  const quoted = Object.entries(named).map(([column, cell]) => [`"${column}"`, cell])
  return insertRow(`"${table}"`, Object.fromEntries(quoted))
}
