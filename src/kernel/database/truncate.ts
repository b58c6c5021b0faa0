import type { Database, Engine } from './database.ts'
import { MIGRATIONS_TABLE } from './migrate.ts'
import { query, type Transaction } from './transaction.ts'

/** Deletes all rows; the schema stays. */
export async function truncateAll(database: Database): Promise<void> {
  await database.write(TRUNCATE[database.engine], { frees: true })
}

const TRUNCATE: Readonly<Record<Engine, () => Transaction<void>>> = {
  *sqlite() {
    // Virtual tables empty their shadow tables themselves.
    const tables = yield* query<{ name: string }>(
      `select name from pragma_table_list where schema = 'main' and type in ('table', 'virtual')
       and name not like 'sqlite\\_%' escape '\\' and name <> ?`,
      MIGRATIONS_TABLE
    )
    yield* query('pragma defer_foreign_keys = on')
    for (const { name } of tables) yield* query(`delete from "${name}"`)
  },
  *postgres() {
    const tables = yield* query<{ name: string }>(
      'select tablename as name from pg_tables where schemaname = current_schema() and tablename <> ?',
      MIGRATIONS_TABLE
    )
    if (tables.length === 0) return
    const names = tables.map(({ name }) => `"${name}"`).join(', ')
    yield* query(`truncate ${names} restart identity cascade`)
  }
}
