import { existsSync, rmSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import type { ClientBase } from 'pg'
import { UserError } from '../errors.ts'
import type { Engine, Migration } from './database.ts'
import { schemaAdvice, serverFacts } from './postgres-requirements.ts'
import {
  connectSqlite,
  createPrivateFile,
  loadSqlite,
  type SqliteOptions
} from './sqlite-connection.ts'
import { explainFileError } from './sqlite-errors.ts'

/** Table of applied migrations; all other tables are defined by the service. */
export const MIGRATIONS_TABLE = 'nonet_steps'

const CREATE_STEPS = `create table if not exists ${MIGRATIONS_TABLE} (step integer primary key, applied text not null)`
const LAST_STEP = `select coalesce(max(step), 0) as step from ${MIGRATIONS_TABLE}`

/** SQLSTATE of missing rights, which the caller explains. */
const NO_RIGHTS = '42501'

/** Name and migrations of a service. */
export interface Schema {
  service: string
  migrations: readonly Migration[]
}

/** Applies missing migrations to a file; a file with data is copied before. */
export async function migrateSqlite(
  file: string,
  schema: Schema,
  options: SqliteOptions
): Promise<void> {
  const connection = connectSqlite(file, options)
  try {
    connection.raw.exec(CREATE_STEPS)
    const step = currentVersionSqlite(connection.raw)
    requireKnownVersion(schema, step, file)
    if (step === schema.migrations.length) return
    if (step > 0) await copyFile(connection.raw, copyName(file, step))
    applySqlite(connection.raw, schema)
  } catch (error) {
    throw explainFileError(file, error)
  } finally {
    connection.close()
  }
}

async function copyFile(raw: DatabaseSync, copy: string): Promise<void> {
  try {
    createPrivateFile(copy)
    await loadSqlite().backup(raw, copy)
  } catch (error) {
    rmSync(copy, { force: true })
    throw error
  }
}

/** `boxes.sqlite` in version 2 → `boxes.sqlite.step-2`; existing copies are not overwritten. */
function copyName(file: string, step: number): string {
  const name = `${file}.step-${step}`
  for (let count = 1; ; count++) {
    const free = count === 1 ? name : `${name}.${count}`
    if (!existsSync(free)) return free
  }
}

export function currentVersionSqlite(raw: DatabaseSync): number {
  return Number(raw.prepare(LAST_STEP).get()?.step)
}

/** Applies all missing migrations up to `until`, or none if one fails. */
export function applySqlite(
  raw: DatabaseSync,
  { service, migrations }: Schema,
  until = migrations.length
): void {
  raw.exec(CREATE_STEPS)
  raw.exec('begin immediate')
  try {
    // Read again, because another process may have migrated the file meanwhile.
    const first = currentVersionSqlite(raw)
    const note = raw.prepare(`insert into ${MIGRATIONS_TABLE} values (?, ?)`)
    for (let step = first; step < until; step++) {
      raw.exec(textOf(migrations[step] ?? '', 'sqlite'))
      note.run(step + 1, new Date().toISOString())
    }
    raw.exec('commit')
  } catch (cause) {
    if (raw.isTransaction) raw.exec('rollback')
    throw schemaError(service, cause)
  }
}

/** Applies missing migrations in one transaction; a process that starts meanwhile waits. */
export async function migratePostgres(
  client: ClientBase,
  name: string,
  schema: Schema
): Promise<void> {
  await client.query('begin')
  try {
    await applyPostgres(client, name, schema)
    await client.query('commit')
  } catch (error) {
    // It fails if the connection is lost, which rolls back too.
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/** Must be called inside a transaction. */
export async function applyPostgres(
  client: ClientBase,
  name: string,
  schema: Schema,
  until = schema.migrations.length
): Promise<void> {
  const { service, migrations } = schema
  await client.query('select pg_advisory_xact_lock(hashtext($1))', [`${name} steps`])
  await createSchema(client, name)
  await client.query(`set local search_path to "${name}"`)
  // `if not exists` would require the right to create tables even if the table exists.
  const { rows } = await client.query(`select to_regclass('${MIGRATIONS_TABLE}') as found`)
  if (rows[0]?.found === null) await client.query(CREATE_STEPS)
  const first = Number((await client.query(LAST_STEP)).rows[0]?.step)
  requireKnownVersion(schema, first, `the schema ${name}`)
  for (let step = first; step < until; step++) {
    await client.query(textOf(migrations[step] ?? '', 'postgres')).catch((cause) => {
      throw cause.code === NO_RIGHTS ? cause : schemaError(service, cause)
    })
    await client.query(`insert into ${MIGRATIONS_TABLE} values ($1, $2)`, [
      step + 1,
      new Date().toISOString()
    ])
  }
}

/** `if not exists` would require the right to create schemas even if the schema exists. */
async function createSchema(client: ClientBase, name: string): Promise<void> {
  const found = await client.query('select 1 from pg_namespace where nspname = $1', [name])
  if (found.rowCount !== 0) return
  const facts = await serverFacts(client)
  if (!facts.createsSchemas) {
    throw new UserError(
      `Cannot use the database "${facts.database}": user "${facts.user}" may not create the schema ` +
        `${name}; ${schemaAdvice(name, facts)}`
    )
  }
  await client.query(`create schema "${name}"`)
}

function textOf(migration: Migration, engine: Engine): string {
  return typeof migration === 'string' ? migration : migration[engine]
}

export function requireKnownVersion(
  { service, migrations }: Schema,
  step: number,
  where: string
): void {
  if (step <= migrations.length) return
  throw new UserError(
    `The data of ${service} in ${where} was written by a newer version of nonet (schema ${step}, this version supports ` +
      `${migrations.length}): use that version, or choose other data with --data or --database`
  )
}

function schemaError(service: string, cause: unknown): UserError {
  const reason = (cause as Error).message
  return new UserError(`The data of ${service} cannot be migrated: ${reason}`, {
    cause
  })
}
