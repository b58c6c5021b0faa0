import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Engine } from '../../src/kernel/database/database.ts'
import { connectPostgres } from '../../src/kernel/database/postgres-connection.ts'
import { postgresUrl } from './engines.ts'

/** Reads all tables of cards beside the running service. */
export interface CardTables {
  /** Changes with any row or column, except the time at which a token was last used. */
  digest: () => Promise<string>
  close: () => Promise<void>
}

/** `folder` is the data folder, which SQLite uses; PostgreSQL has one schema of cards. */
export async function openCardTables(engine: Engine, folder: string): Promise<CardTables> {
  return engine === 'sqlite' ? openFile(folder) : openSchema()
}

function openFile(folder: string): CardTables {
  const database = new DatabaseSync(join(folder, 'cards.sqlite'), { readOnly: true })
  const names = database
    .prepare("select name from sqlite_master where type = 'table' and sql not like '%virtual%'")
    .all()
    .map(({ name }) => String(name))
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
        for (const { used_at: _, ...row } of statement.all()) {
          hash.update(name).update(JSON.stringify(row, exact))
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

async function openSchema(): Promise<CardTables> {
  const client = await connectPostgres({ url: postgresUrl() })
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name
       from information_schema.tables
      where table_schema like '%cards%' and table_type = 'BASE TABLE' order by 1`
  )
  const parts = rows.map(
    ({ name }) =>
      `select md5(coalesce(string_agg(row, ',' order by row), '')) as part
         from (select (to_jsonb(t) - 'used_at')::text as row from ${name} t) r`
  )
  const statement = parts.join(' union all ')
  return {
    async digest() {
      const { rows: found } = await client.query<{ part: string }>(statement)
      return found.map(({ part }) => part).join()
    },
    async close() {
      await client.end()
    }
  }
}
