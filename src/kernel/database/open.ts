import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { checkFile, checkServer } from './availability-checks.ts'
import { checkSqliteFile } from './check-file.ts'
import type { Database, TableAccess } from './database.ts'
import { requireSchemaRights } from './inspect-postgres.ts'
import { lockDatabase } from './lock.ts'
import { currentVersionSqlite, migratePostgres, migrateSqlite, type Schema } from './migrate.ts'
import type { PostgresLocation } from './postgres-connection.ts'
import { explainRefusal, refusalOf } from './postgres-refusal.ts'
import { requireSuitable } from './postgres-requirements.ts'
import { openSqlite, openSqliteWithoutSpace, type SqliteFileOptions } from './sqlite.ts'
import { connectWithoutSpace } from './sqlite-connection.ts'
import { isDiskFull } from './sqlite-errors.ts'
import { queryAutocommit } from './transaction.ts'

/** File or PostgreSQL schema of one service's tables. */
export type DatabaseLocation =
  | { engine: 'sqlite'; file: string; durable: boolean }
  | ({ engine: 'postgres' } & PostgresLocation)

/** Options of an SQLite file. */
export type FileOptions = Partial<Pick<SqliteFileOptions, 'reserve' | 'warn'>>

/** Applies missing migrations and opens the database. */
export async function openDatabase(
  location: DatabaseLocation,
  schema: Schema,
  options: FileOptions = {}
): Promise<Database> {
  return location.engine === 'sqlite'
    ? openFile(location, schema, options)
    : openServer(location, schema)
}

async function openFile(
  { file, durable }: DatabaseLocation & { engine: 'sqlite' },
  schema: Schema,
  { reserve, warn = () => {} }: FileOptions
): Promise<Database> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const lock = lockDatabase(file)
  try {
    const database = await openLocked(file, schema, { durable, reserve, warn })
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

/** Uses the reserve if the disk is full; without one, the data can be read only. */
async function openLocked(
  file: string,
  schema: Schema,
  options: SqliteFileOptions
): Promise<TableAccess> {
  const { reserve, warn } = options
  try {
    return await migrateAndOpen(file, schema, options)
  } catch (error) {
    if (reserve === undefined || !isDiskFull(error)) throw error
    if (reserve.release()) return openLocked(file, schema, options)
    if (!isCurrent(file, schema)) throw error
  }
  warn(
    `The disk of ${dirname(file)} is full and nonet has no reserve there: data can be read, but ` +
      'writes and deletions are answered with 507 until there is space'
  )
  return openSqliteWithoutSpace(file, options)
}

async function migrateAndOpen(
  file: string,
  schema: Schema,
  options: SqliteFileOptions
): Promise<TableAccess> {
  checkSqliteFile(file)
  await migrateSqlite(file, schema, options)
  return openSqlite(file, options)
}

/** Whether the file needs no migration; asked while the disk is full. */
function isCurrent(file: string, { migrations }: Schema): boolean {
  const { raw, close } = connectWithoutSpace(file)
  try {
    return currentVersionSqlite(raw) === migrations.length
  } catch {
    // The file has no tables yet.
    return false
  } finally {
    close()
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
