import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../kernel/database/database.ts'
import { removeDatabase } from '../kernel/database/lock.ts'
import {
  connectOrFail,
  type DatabaseLocation,
  dropSchema,
  type FileOptions,
  openDatabase
} from '../kernel/database/open.ts'
import { requireSuitable } from '../kernel/database/postgres-requirements.ts'
import { truncateAll } from '../kernel/database/truncate.ts'
import { UserError } from '../kernel/errors.ts'
import type { Service } from '../kernel/service.ts'
import { type FileStorage, nameOfFiles, openFileDriver } from './file-location.ts'

export interface Storage extends FileStorage {
  /** URL of a PostgreSQL database that is used instead of files in the folder. */
  database: string | undefined
  /** Suffix of the schema names of an ephemeral run, so that runs on one server do not collide. */
  suffix?: string | undefined
}

/** `<data>/<service>.sqlite`, or the schema `nonet_<service>`. */
export function databaseLocation(name: string, storage: Omit<Storage, 'files'>): DatabaseLocation {
  const { folder, database: url, ephemeral, suffix } = storage
  const durable = !ephemeral
  if (url === undefined) return { engine: 'sqlite', file: join(folder, `${name}.sqlite`), durable }
  checkUrl(url)
  const schema = suffix === undefined ? `nonet_${name}` : `nonet_${name}_${suffix}`
  return { engine: 'postgres', url, schema, durable }
}

/** Throws `UserError` if it is not the URL of a PostgreSQL database. */
export function checkUrl(url: string): void {
  if (/^postgres(ql)?:\/\//.test(url)) return
  throw new UserError('--database must be a URL such as postgres://user@host/name')
}

/** Throws `UserError` if nonet cannot store its data in the database. */
export async function probeDatabase(url: string): Promise<void> {
  checkUrl(url)
  const client = await connectOrFail({ url })
  try {
    await requireSuitable(client)
  } finally {
    await client.end()
  }
}

/** Undefined if the service has no migrations. Drops an ephemeral PostgreSQL schema on close. */
export async function openServiceDatabase(
  { name, migrations }: Service,
  location: DatabaseLocation,
  options: FileOptions
): Promise<Database | undefined> {
  if (migrations === undefined) return undefined
  const database = await openDatabase(location, { service: name, migrations }, options)
  if (location.engine === 'sqlite' || location.durable) return database
  return {
    ...database,
    async close() {
      await database.close()
      await dropSchema(location)
    }
  }
}

/** Deletes the data of a service while no nonet process uses it; first what may be rejected. */
export async function resetStorage(service: Service, storage: Storage): Promise<void> {
  const hasBucket = service.hasFiles === true && storage.files !== undefined
  const id = hasBucket ? await registeredId(service, storage) : undefined
  await resetTables(service, storage)
  if (id !== undefined) await resetBucket(service, storage, id)
  await rm(join(storage.folder, service.name), { recursive: true, force: true })
}

/**
 * Id of the location of files that the tables name; undefined if they name none or cannot be read.
 */
async function registeredId(
  { name, migrations = [] }: Service,
  storage: Storage
): Promise<string | undefined> {
  const location = databaseLocation(name, storage)
  if (location.engine === 'sqlite' && !existsSync(location.file)) return undefined
  const { registeredFolder } = await import('../kernel/files/table.ts')
  try {
    const database = await openDatabase(location, { service: name, migrations })
    return await database.read(registeredFolder).finally(database.close)
  } catch {
    return undefined
  }
}

/** Only if it belongs to the tables: others may store their files there, too. */
async function resetBucket({ name }: Service, storage: Storage, id: string): Promise<void> {
  const driver = await openFileDriver(name, storage)
  try {
    if ((await driver.id()) === id) await driver.removeAll()
  } catch (error) {
    const { toUserError } = await import('./unavailable-files.ts')
    throw toUserError(error, nameOfFiles(name, storage))
  } finally {
    await driver.close()
  }
}

async function resetTables({ name, migrations }: Service, storage: Storage): Promise<void> {
  if (migrations === undefined) return
  const location = databaseLocation(name, storage)
  if (location.engine === 'sqlite') return removeDatabase(location.file)
  // The schema is not dropped, because processes on other machines may be using it.
  const database = await openDatabase(location, { service: name, migrations })
  try {
    await truncateAll(database)
  } finally {
    await database.close()
  }
}
