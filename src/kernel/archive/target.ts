import type { Engine } from '../database/database.ts'
import { insertRow, type Plan } from '../database/plan.ts'
import type { PortableRow, Stored, TableHead } from './portable.ts'

/** A place that receives whole services: all of them or, when anything fails, none. */
export interface Target extends AsyncDisposable {
  readonly engine: Engine
  /** Rows that are in the service's place already. */
  countRows: (stored: Stored) => Promise<number>
  /** New, empty tables as they were at that step of the schema. */
  prepare: (stored: Stored, step: number) => Promise<void>
  insert: (stored: Stored, head: TableHead, rows: readonly PortableRow[]) => Promise<void>
  /** What has arrived. */
  read: (stored: Stored, head: TableHead) => AsyncIterable<readonly PortableRow[]>
  /** The steps of the schema that are missing. */
  complete: (stored: Stored) => Promise<void>
  commit: () => Promise<void>
}

export function planFor(
  { derived }: Stored,
  { table, columns }: TableHead,
  row: PortableRow,
  engine: Engine
): Plan<void> {
  const named = Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null]))
  const own = derived?.[table]
  if (own !== undefined) return own.restoreRow(named, engine)
  const quoted = Object.entries(named).map(([column, cell]) => [`"${column}"`, cell])
  return insertRow(`"${table}"`, Object.fromEntries(quoted))
}
