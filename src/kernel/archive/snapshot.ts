import { existsSync } from 'node:fs'
import type { ClientBase } from 'pg'
import { hasLog } from '../database/check-file.ts'
import { currentVersionSqlite, MIGRATIONS_TABLE } from '../database/migrate.ts'
import { connectOrFail, type DatabaseLocation } from '../database/open.ts'
import type { PostgresLocation } from '../database/postgres-connection.ts'
import { explainRefusal } from '../database/postgres-refusal.ts'
import {
  connectForReading,
  connectSqlite,
  type SqliteConnection
} from '../database/sqlite-connection.ts'
import { explainFileError } from '../database/sqlite-errors.ts'
import { discoverPostgres, discoverSqlite, type TableColumns } from './discovery.ts'
import { type BackupRow, type BackupTable, inBatches, type ServiceBackup } from './portable.ts'

const FETCH_ROWS = 64

/** A consistent view of a service's tables; later writes by other processes are not visible. */
export interface Snapshot extends AsyncDisposable {
  tables: readonly BackupTable[]
}

/** Undefined if the service has no database yet. */
export async function openSnapshot(
  location: DatabaseLocation,
  stored: ServiceBackup
): Promise<Snapshot | undefined> {
  return location.engine === 'sqlite'
    ? openFileSnapshot(location.file, stored)
    : openServerSnapshot(location, stored)
}

async function openFileSnapshot(
  file: string,
  stored: ServiceBackup
): Promise<Snapshot | undefined> {
  if (!existsSync(file)) return undefined
  const connection = hasLog(file) ? connectForReading(file) : connectSqlite(file, { durable: true })
  try {
    connection.raw.exec('begin')
    return {
      tables: describeTables(connection, file, stored),
      async [Symbol.asyncDispose]() {
        connection.close()
      }
    }
  } catch (error) {
    connection.close()
    throw explainFileError(file, error)
  }
}

function describeTables(
  connection: SqliteConnection,
  file: string,
  stored: ServiceBackup
): BackupTable[] {
  const { raw } = connection
  const step = currentVersionSqlite(raw)
  return discoverSqlite(raw, stored).map((shape) => ({
    ...shape,
    service: stored.name,
    step,
    rows: Number(raw.prepare(countOf(shape)).get()?.rows),
    async *read() {
      try {
        yield* readSqlite(connection, shape)
      } catch (error) {
        throw explainFileError(file, error)
      }
    }
  }))
}

export async function* readSqlite({ raw }: SqliteConnection, shape: TableColumns) {
  yield* inBatches(cellsOf(raw.prepare(selectOf(shape)).iterate(), shape.columns))
}

async function openServerSnapshot(
  location: PostgresLocation,
  stored: ServiceBackup
): Promise<Snapshot | undefined> {
  const client = await connectOrFail(location)
  try {
    const tables = await readTables(client, location.schema, stored)
    if (tables !== undefined) return { tables, [Symbol.asyncDispose]: () => client.end() }
  } catch (error) {
    await client.end()
    throw explainRefusal(error, { ...location, user: client.user })
  }
  await client.end()
  return undefined
}

/** Begins the transaction in which the tables are read; undefined if there are none. */
async function readTables(
  client: ClientBase,
  schema: string,
  stored: ServiceBackup
): Promise<readonly BackupTable[] | undefined> {
  await client.query('begin isolation level repeatable read read only')
  const step = await stepOf(client, schema)
  if (step === 0) return undefined
  await client.query(`set local search_path to "${schema}"`)
  const tables: BackupTable[] = []
  for (const shape of await discoverPostgres(client, schema, stored)) {
    const rows = Number((await client.query(countOf(shape))).rows[0]?.rows)
    const read = () => readPostgres(client, shape)
    tables.push({ ...shape, service: stored.name, step, rows, read })
  }
  return tables
}

async function stepOf(client: ClientBase, schema: string): Promise<number> {
  const table = `"${schema}".${MIGRATIONS_TABLE}`
  const { rows } = await client.query('select to_regclass($1) as found', [table])
  if (rows[0]?.found === null) return 0
  return Number((await client.query(`select max(step) as step from ${table}`)).rows[0]?.step)
}

export async function* readPostgres(client: ClientBase, shape: TableColumns) {
  await client.query(`declare portable no scroll cursor for ${selectOf(shape)}`)
  for (;;) {
    const { rows } = await client.query(`fetch ${FETCH_ROWS} from portable`)
    if (rows.length === 0) break
    yield [...cellsOf(rows, shape.columns)]
  }
  await client.query('close portable')
}

function* cellsOf(
  rows: Iterable<Readonly<Record<string, unknown>>>,
  columns: readonly string[]
): Generator<BackupRow> {
  for (const row of rows) yield columns.map((column) => row[column]) as BackupRow
}

function selectOf({ table, columns }: TableColumns): string {
  return `select ${columns.map((column) => `"${column}"`).join(', ')} from "${table}"`
}

function countOf({ table }: TableColumns): string {
  return `select count(*) as rows from "${table}"`
}
