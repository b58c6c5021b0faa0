import { fullGroupsOf, placeholders } from '../../../../kernel/database/groups.ts'
import { query, type SqlValue, type Transaction } from '../../../../kernel/database/transaction.ts'

/** Ids per statement. */
const GROUP = 50

/** Rows by a column, whichever board they are of. */
export function* rowsBy<Row extends object>(
  table: string,
  column: keyof Row & string,
  values: readonly string[]
): Transaction<Row[]> {
  const found: Row[] = []
  for (const group of fullGroupsOf(values, GROUP)) {
    found.push(
      ...(yield* query<Row>(
        `select * from ${table} where ${column} in (${placeholders(GROUP)})`,
        ...group
      ))
    )
  }
  return found
}

/** The rows of these ids. */
export function* rowsById<Row extends { id: string }>(
  table: string,
  ids: readonly string[]
): Transaction<Map<string, Row>> {
  const rows = yield* rowsBy<Row>(table, 'id', ids)
  return new Map(rows.map((row) => [row.id, row]))
}

type Columns = Readonly<Record<string, SqlValue>>

/** The columns that are not as wanted. */
export function differences(row: object, wanted: Columns): Record<string, SqlValue> {
  return Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => (row as Columns)[name] !== value)
  )
}

/** Whether anything was changed. */
export function* updateRow(
  table: string,
  row: { id: string },
  wanted: Columns
): Transaction<boolean> {
  const changed = differences(row, wanted)
  const columns = Object.keys(changed)
  if (columns.length === 0) return false
  const sets = columns.map((name) => `${name} = ?`).join(', ')
  yield* query(`update ${table} set ${sets} where id = ?`, ...Object.values(changed), row.id)
  return true
}
