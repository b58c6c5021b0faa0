/** Changes rows of cards beside the running service, for what would take days. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Engine } from '../../src/kernel/database/database.ts'
import { connectPostgres } from '../../src/kernel/database/postgres-connection.ts'
import { postgresUrl } from './engines.ts'

/** One statement without arguments; `folder` is the data folder. Returns the rows. */
export async function runOnCards(engine: Engine, folder: string, sql: string): Promise<object[]> {
  if (engine === 'sqlite') {
    const database = new DatabaseSync(join(folder, 'cards.sqlite'), { timeout: 5_000 })
    try {
      return database.prepare(sql).all()
    } finally {
      database.close()
    }
  }
  const client = await connectPostgres({ url: postgresUrl() })
  try {
    const { rows } = await client.query<{ name: string }>(
      "select quote_ident(schema_name) as name from information_schema.schemata where schema_name like '%cards%'"
    )
    await client.query(`set search_path to ${rows.map(({ name }) => name).join()}`)
    return (await client.query<object>(sql)).rows
  } finally {
    await client.end()
  }
}
