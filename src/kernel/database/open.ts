import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { checkFile, checkServer } from './availability-checks.ts'
import type { Database } from './database.ts'
import { requireSchemaRights } from './inspect-postgres.ts'
import { lockDatabase } from './lock.ts'
import { migratePostgres, migrateSqlite, type Schema } from './migrate.ts'
import type { PostgresLocation } from './postgres-connection.ts'
import { explainRefusal, refusalOf } from './postgres-refusal.ts'
import { requireSuitable } from './postgres-requirements.ts'
import { openSqlite } from './sqlite.ts'
import { queryAutocommit } from './transaction.ts'

/** File or PostgreSQL schema of one service's tables. */
export type DatabaseLocation =
  | { engine: 'sqlite'; file: string; durable: boolean }
  | ({ engine: 'postgres' } & PostgresLocation)

/** Applies missing migrations and opens the database. */
export async function openDatabase(location: DatabaseLocation, schema: Schema): Promise<Database> {
  return location.engine === 'sqlite' ? openFile(location, schema) : openServer(location, schema)
}

async function openFile(
  { file, durable }: DatabaseLocation & { engine: 'sqlite' },
  schema: Schema
): Promise<Database> {
  await mkdir(dirname(file), { recursive: true })
  const lock = lockDatabase(file)
  try {
    await migrateSqlite(file, schema, { durable })
    const database = openSqlite(file, { durable })
    return {
      ...database,
      unavailable: await checkFile(file, database),
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

async function openServer(location: PostgresLocation, schema: Schema): Promise<Database> {
  const client = await connectOrFail(location)
  try {
    await requireSchemaRights(client, await requireSuitable(client), location.schema)
    await migratePostgres(client, location.schema, schema)
  } catch (error) {
    throw explainRefusal(error, { ...location, user: client.user })
  } finally {
    await client.end()
  }
  const { openPostgres } = await import('./postgres.ts')
  const database = openPostgres(location)
  try {
    // Opens a connection, which holds the lock that tells a restore that the tables are in use.
    await database.read(() => queryAutocommit('select 1'))
    return { ...database, unavailable: checkServer(database) }
  } catch (error) {
    await database.close()
    const { cause = error } = error as Error
    throw refusalOf(cause, { ...location, user: client.user, database: client.database })
  }
}

/** Loads the driver only when it is used, because that takes a tenth of a second. */
export async function connectOrFail(location: Pick<PostgresLocation, 'url'>) {
  const { connectPostgres } = await import('./postgres-connection.ts')
  return connectPostgres(location)
}

export async function dropSchema(location: PostgresLocation): Promise<void> {
  const client = await connectOrFail(location)
  try {
    await client.query(`drop schema if exists "${location.schema}" cascade`)
  } finally {
    await client.end()
  }
}
