import type { Database, Engine } from './database.ts'
import { STEPS_TABLE } from './migrate.ts'
import { type Plan, query } from './plan.ts'

/** Everything out, the schema stays. */
export async function emptyDatabase(database: Database): Promise<void> {
  await database.write(PLANS[database.engine])
}

const PLANS: Readonly<Record<Engine, () => Plan<void>>> = {
  *sqlite() {
    // Virtual tables empty their shadow tables themselves.
    const tables = yield* query<{ name: string }>(
      `select name from pragma_table_list where schema = 'main' and type in ('table', 'virtual')
       and name not like 'sqlite\\_%' escape '\\' and name <> ?`,
      STEPS_TABLE
    )
    yield* query('pragma defer_foreign_keys = on')
    for (const { name } of tables) yield* query(`delete from "${name}"`)
  },
  *postgres() {
    const tables = yield* query<{ name: string }>(
      'select tablename as name from pg_tables where schemaname = current_schema() and tablename <> ?',
      STEPS_TABLE
    )
    if (tables.length === 0) return
    const names = tables.map(({ name }) => `"${name}"`).join(', ')
    yield* query(`truncate ${names} restart identity cascade`)
  }
}
