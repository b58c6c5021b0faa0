import type { Engine } from '../../../kernel/database/database.ts'
import { type Argument, insertRow, type Plan, query } from '../../../kernel/database/plan.ts'

const COLUMNS = ['box', 'id', 'collection', 'created', 'raw', 'doc'] as const

export type RecordRow = Readonly<Record<(typeof COLUMNS)[number], Argument>>

/** Rows of one statement; few sizes, so that few statements are kept prepared. */
const GROUPS = [100, 10, 1] as const

const INSERT = `insert into records (${COLUMNS.join(', ')}) values`

/** SQLite is as fast one by one; PostgreSQL would wait for each. */
export const INSERT_ROWS: Readonly<Record<Engine, (rows: readonly RecordRow[]) => Plan<void>>> = {
  *sqlite(rows) {
    for (const row of rows) yield* query(`${INSERT} (?, ?, ?, ?, ?, jsonb(?))`, ...valuesOf(row))
  },
  *postgres(rows) {
    const [only] = rows
    // A single row may join those of other requests.
    if (rows.length === 1 && only !== undefined) yield* insertRow('records', only)
    else yield* insertGroups(rows)
  }
}

function* insertGroups(rows: readonly RecordRow[]): Plan<void> {
  for (let from = 0; from < rows.length; ) {
    const size = GROUPS.find((group) => group <= rows.length - from) ?? 1
    const marks = Array(size).fill(`(${COLUMNS.map(() => '?').join(', ')})`)
    const values = rows.slice(from, from + size).flatMap(valuesOf)
    yield* query(`${INSERT} ${marks.join(', ')}`, ...values)
    from += size
  }
}

function valuesOf(row: RecordRow): Argument[] {
  return COLUMNS.map((column) => row[column])
}
