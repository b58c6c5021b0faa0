import { existsSync } from 'node:fs'
import type { ClientBase } from 'pg'
import { lastStepSqlite, STEPS_TABLE } from '../database/migrate.ts'
import { type Place, reachPostgres } from '../database/open.ts'
import type { PostgresPlace } from '../database/postgres-connection.ts'
import { connectSqlite, type SqliteConnection } from '../database/sqlite-connection.ts'
import { discoverPostgres, discoverSqlite, type Shape } from './discovery.ts'
import { gather, type PortableRow, type PortableTable, type Stored } from './portable.ts'

const FETCH_ROWS = 64

/** A service's tables as they are at one moment, whoever goes on writing. */
export interface Snapshot extends AsyncDisposable {
  tables: readonly PortableTable[]
}

/** Nothing where the service has never stored anything. */
export async function openSnapshot(place: Place, stored: Stored): Promise<Snapshot | undefined> {
  return place.engine === 'sqlite'
    ? openFileSnapshot(place.file, stored)
    : openServerSnapshot(place, stored)
}

async function openFileSnapshot(file: string, stored: Stored): Promise<Snapshot | undefined> {
  if (!existsSync(file)) return undefined
  const connection = connectSqlite(file, { durable: true })
  connection.raw.exec('begin')
  const step = lastStepSqlite(connection.raw)
  return {
    tables: discoverSqlite(connection.raw, stored).map((shape) => ({
      ...shape,
      service: stored.name,
      step,
      rows: Number(connection.raw.prepare(countOf(shape)).get()?.rows),
      read: () => readSqlite(connection, shape)
    })),
    async [Symbol.asyncDispose]() {
      connection.close()
    }
  }
}

export async function* readSqlite({ raw }: SqliteConnection, shape: Shape) {
  yield* gather(cellsOf(raw.prepare(selectOf(shape)).iterate(), shape.columns))
}

async function openServerSnapshot(
  place: PostgresPlace,
  stored: Stored
): Promise<Snapshot | undefined> {
  const client = await reachPostgres(place)
  await client.query('begin isolation level repeatable read read only')
  const step = await stepOf(client, place.schema)
  if (step === 0) {
    await client.end()
    return undefined
  }
  await client.query(`set local search_path to "${place.schema}"`)
  const tables: PortableTable[] = []
  for (const shape of await discoverPostgres(client, place.schema, stored)) {
    const rows = Number((await client.query(countOf(shape))).rows[0]?.rows)
    const read = () => readPostgres(client, shape)
    tables.push({ ...shape, service: stored.name, step, rows, read })
  }
  return { tables, [Symbol.asyncDispose]: () => client.end() }
}

async function stepOf(client: ClientBase, schema: string): Promise<number> {
  const table = `"${schema}".${STEPS_TABLE}`
  const { rows } = await client.query('select to_regclass($1) as found', [table])
  if (rows[0]?.found === null) return 0
  return Number((await client.query(`select max(step) as step from ${table}`)).rows[0]?.step)
}

export async function* readPostgres(client: ClientBase, shape: Shape) {
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
): Generator<PortableRow> {
  for (const row of rows) yield columns.map((column) => row[column]) as PortableRow
}

function selectOf({ table, columns }: Shape): string {
  return `select ${columns.map((column) => `"${column}"`).join(', ')} from "${table}"`
}

function countOf({ table }: Shape): string {
  return `select count(*) as rows from "${table}"`
}
