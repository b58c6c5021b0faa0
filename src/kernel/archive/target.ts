import type { Engine } from '../database/database.ts'
import { insertRow, type Transaction } from '../database/transaction.ts'
import type { BackupRow, ServiceBackup, TableHeader } from './portable.ts'

/** A database that receives the data of services: of all, or of none if anything fails. */
export interface RestoreTarget extends AsyncDisposable {
  readonly engine: Engine
  /** Number of rows the service has there now. */
  countRows: (stored: ServiceBackup) => Promise<number>
  /** Creates new, empty tables in that version of the schema. */
  prepare: (stored: ServiceBackup, step: number) => Promise<void>
  insert: (stored: ServiceBackup, head: TableHeader, rows: readonly BackupRow[]) => Promise<void>
  /** Reads the inserted rows. */
  read: (stored: ServiceBackup, head: TableHeader) => AsyncIterable<readonly BackupRow[]>
  /** Applies the remaining migrations. */
  complete: (stored: ServiceBackup) => Promise<void>
  /** Runs after `complete`. */
  write: (stored: ServiceBackup, transaction: () => Transaction<void>) => Promise<void>
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
