import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Engine } from '../../src/kernel/database/database.ts'
import { connectPostgres } from '../../src/kernel/database/postgres-connection.ts'
import { postgresUrl } from './engines.ts'

/** Reads all tables of a service beside the running service. */
export interface ServiceTables {
  /** Changes with any row or column but those that are left out. */
  digest: () => Promise<string>
  close: () => Promise<void>
}

export interface TableOptions {
  service: string
  engine: Engine
  /** The data folder, which SQLite uses; PostgreSQL has one schema of the service. */
  folder: string
  /** Columns that are left out besides the time at which a token was last used. */
  without?: readonly string[]
  /** Names of tables that are left out. */
  withoutTables?: readonly string[]
}

interface Source {
  service: string
  columns: readonly string[]
  tables: readonly string[]
}

export async function openServiceTables({
  service,
  engine,
  folder,
  without = [],
  withoutTables: tables = []
}: TableOptions): Promise<ServiceTables> {
  const source = { service, columns: ['used_at', ...without], tables }
  return engine === 'sqlite' ? openFile(folder, source) : openSchema(source)
}

function openFile(folder: string, { service, columns, tables }: Source): ServiceTables {
  const database = new DatabaseSync(join(folder, `${service}.sqlite`), { readOnly: true })
  const names = database
    .prepare("select name from sqlite_master where type = 'table' and sql not like '%virtual%'")
    .all()
    .map(({ name }) => String(name))
    .filter((name) => !tables.includes(name))
    .sort()
  let last = { version: -1, digest: '' }
  return {
    async digest() {
      const version = Number(database.prepare('pragma data_version').get()?.data_version)
      if (version === last.version) return last.digest
      const hash = createHash('sha256')
      for (const name of names) {
        const statement = database.prepare(`select * from "${name}"`)
        statement.setReadBigInts(true)
        for (const row of statement.all()) {
          const kept = Object.entries(row).filter(([column]) => !columns.includes(column))
          hash.update(name).update(JSON.stringify(Object.fromEntries(kept), exact))
        }
      }
      last = { version, digest: hash.digest('hex') }
      return last.digest
    },
    async close() {
      database.close()
    }
  }
}

/** Integers beyond those that JSON can have, and bytes. */
function exact(_key: string, value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  return typeof value === 'bigint' ? String(value) : value
}

async function openSchema({ service, columns, tables }: Source): Promise<ServiceTables> {
  const client = await connectPostgres({ url: postgresUrl() })
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name
       from information_schema.tables
      where table_schema like $1 and table_type = 'BASE TABLE' and table_name <> all ($2)
      order by 1`,
    [`%${service}%`, tables]
  )
  const parts = rows.map(
    ({ name }) =>
      `select md5(coalesce(string_agg(row, ',' order by row), '')) as part
         from (select (to_jsonb(t) - $1::text[])::text as row from ${name} t) r`
  )
  const statement = parts.join(' union all ')
  return {
    async digest() {
      const { rows: found } = await client.query<{ part: string }>(statement, [columns])
      return found.map(({ part }) => part).join()
    },
    async close() {
      await client.end()
    }
  }
}
