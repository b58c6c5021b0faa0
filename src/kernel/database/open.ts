import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { StartFailure } from '../failures.ts'
import type { Database } from './database.ts'
import { lockDatabase } from './lock.ts'
import { migratePostgres, migrateSqlite, type Schema } from './migrate.ts'
import { queryAlone } from './plan.ts'
import type { PostgresPlace } from './postgres-connection.ts'
import { openSqlite } from './sqlite.ts'

/** Where one service's tables are. */
export type Place =
  | { engine: 'sqlite'; file: string; durable: boolean }
  | ({ engine: 'postgres' } & PostgresPlace)

/** Brings the schema up to date first. */
export async function openDatabase(place: Place, schema: Schema): Promise<Database> {
  return place.engine === 'sqlite' ? openFile(place, schema) : openServer(place, schema)
}

async function openFile(
  { file, durable }: Place & { engine: 'sqlite' },
  schema: Schema
): Promise<Database> {
  await mkdir(dirname(file), { recursive: true })
  const lock = lockDatabase(file)
  try {
    await migrateSqlite(file, schema, { durable })
    const database = openSqlite(file, { durable })
    return {
      ...database,
      async close() {
        await database.close()
        lock.release()
      }
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

async function openServer(place: PostgresPlace, schema: Schema): Promise<Database> {
  const client = await reachPostgres(place)
  try {
    await migratePostgres(client, place.schema, schema)
  } finally {
    await client.end()
  }
  const { openPostgres } = await import('./postgres.ts')
  const database = openPostgres(place)
  // From now on a restore sees that somebody is here.
  await database.read(() => queryAlone('select 1'))
  return database
}

/** Loaded only where it is used: the driver costs a tenth of a second at the start. */
export async function reachPostgres(place: Pick<PostgresPlace, 'url'>) {
  const { connectPostgres } = await import('./postgres-connection.ts')
  try {
    return await connectPostgres(place)
  } catch (cause) {
    // Some network errors are bundles without a text of their own.
    const { message, code } = cause as NodeJS.ErrnoException
    throw new StartFailure(`Cannot use the database: ${message || code}; check --database`, {
      cause
    })
  }
}

export async function dropSchema(place: PostgresPlace): Promise<void> {
  const client = await reachPostgres(place)
  await client.query(`drop schema if exists "${place.schema}" cascade`)
  await client.end()
}
