import { applySqlite } from '../database/migrate.ts'
import { loadSqlite } from '../database/sqlite-connection.ts'
import { UserError } from '../errors.ts'
import { discoverSqlite, type TableColumns } from './discovery.ts'
import type { ServiceBackup, TableHeader } from './portable.ts'

/** Returns the service of a table; throws if this version of nonet cannot read its data. */
export function findStored(
  services: readonly ServiceBackup[],
  { service, step }: Pick<TableHeader, 'service' | 'step'>
): ServiceBackup {
  const stored = services.find(({ name }) => name === service)
  if (stored === undefined) {
    throw new UserError(
      `Unknown service ${service}, or it stores no data: use the version of nonet that made the backup`
    )
  }
  if (step > stored.migrations.length) {
    throw new UserError(
      `The data of ${service} was written by a newer version of nonet: use that version`
    )
  }
  return stored
}

/**
 * What is wrong with the tables of a backup: each service must have exactly the tables and columns
 * of its schema version, one after the other. Undefined if nothing is.
 */
export function headerProblem(
  headers: readonly TableHeader[],
  services: readonly ServiceBackup[]
): string | undefined {
  if (headers.length === 0) return 'it contains no tables'
  const names = new Set(headers.map(({ service }) => service))
  for (const name of names) {
    const first = headers.findIndex(({ service }) => service === name)
    const own = headers.filter(({ service }) => service === name)
    if (headers.slice(first, first + own.length).some(({ service }) => service !== name)) {
      return `the tables of ${name} are not together`
    }
    const problem = serviceProblem(own, services)
    if (problem !== undefined) return problem
  }
  return undefined
}

function serviceProblem(
  own: readonly TableHeader[],
  services: readonly ServiceBackup[]
): string | undefined {
  const [{ service, step } = { service: '', step: 0 }] = own
  const stored = findStored(services, { service, step })
  const other = own.find((header) => header.step !== step)
  if (other !== undefined) return `${service} has the schema versions ${step} and ${other.step}`
  const expected = tablesAt(stored, step)
  const unknown = own.find(({ table }) => !expected.some((one) => one.table === table))
  if (unknown !== undefined) return `${service} has no table ${unknown.table}`
  for (const { table, columns } of expected) {
    const found = own.filter((header) => header.table === table)
    if (found.length !== 1) return `the table ${service}.${table} occurs ${found.length} times`
    if (String([...(found[0]?.columns ?? [])].sort()) !== String(columns)) {
      return `the columns of ${service}.${table} are not those of schema version ${step}`
    }
  }
  return undefined
}

/** The tables of a service in a version of its schema, which are the same on both engines. */
function tablesAt(stored: ServiceBackup, step: number): readonly TableColumns[] {
  const { DatabaseSync } = loadSqlite()
  const raw = new DatabaseSync(':memory:')
  try {
    applySqlite(raw, { service: stored.name, ...stored }, step)
    return discoverSqlite(raw, stored)
  } finally {
    raw.close()
  }
}
