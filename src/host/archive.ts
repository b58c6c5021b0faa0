import { checkArchive, readArchive, writeArchive } from '../kernel/archive/file.ts'
import type { BackupTable, ServiceBackup } from '../kernel/archive/portable.ts'
import { openPostgresTarget } from '../kernel/archive/postgres-target.ts'
import { openSnapshot, type Snapshot } from '../kernel/archive/snapshot.ts'
import { openSqliteTarget } from '../kernel/archive/sqlite-target.ts'
import type { RestoreTarget } from '../kernel/archive/target.ts'
import { transfer } from '../kernel/archive/transfer.ts'
import { UserError } from '../kernel/errors.ts'
import { allServices } from './service-registry.ts'
import { databaseLocation, probeDatabase, type Storage } from './storage.ts'
import { VERSION } from './version.ts'

/** Called for each batch of rows, with the number of rows done and in total. */
export type Progress = (done: number, total: number) => void

/** The services with tables. */
const STORED: readonly ServiceBackup[] = allServices.flatMap(({ name, migrations, derived }) =>
  migrations === undefined ? [] : [{ name, migrations, ...(derived && { derived }) }]
)

export interface ArchiveOptions {
  force?: boolean
  progress: Progress
  services?: readonly ServiceBackup[]
}

/** Resolves to the number of rows. Writes by other processes are not blocked. */
export async function backUp(
  from: Storage,
  file: string,
  { progress, services = STORED }: ArchiveOptions
): Promise<number> {
  await using source = await openSource(from, services)
  const counted = count(source.tables, progress)
  await writeArchive(file, each(source.tables), {
    version: VERSION,
    now: new Date(),
    progress: counted.add
  })
  return counted.total
}

/** Checks the whole file before anything is changed. */
export async function restore(
  file: string,
  to: Storage,
  { progress, force = false, services = STORED }: ArchiveOptions
): Promise<number> {
  const counted = count(await checkArchive(file, services), progress)
  await using target = await openTarget(to)
  return await transfer(readArchive(file), target, { force, services, progress: counted.add })
}

export async function copy(
  from: Storage,
  to: Storage,
  { progress, force = false, services = STORED }: ArchiveOptions
): Promise<number> {
  await using source = await openSource(from, services)
  await using target = await openTarget(to)
  const counted = count(source.tables, progress)
  return await transfer(each(source.tables), target, { force, services, progress: counted.add })
}

interface Source extends AsyncDisposable {
  tables: readonly BackupTable[]
}

async function openSource(from: Storage, services: readonly ServiceBackup[]): Promise<Source> {
  const opened: Snapshot[] = []
  for (const stored of services) {
    const snapshot = await openSnapshot(databaseLocation(stored.name, from), stored)
    if (snapshot !== undefined) opened.push(snapshot)
  }
  if (opened.length === 0) {
    if (from.database !== undefined) await probeDatabase(from.database)
    const where = from.database === undefined ? from.folder : 'that database'
    throw new UserError(`No data is stored in ${where}; set the location with --data or --database`)
  }
  return {
    tables: opened.flatMap(({ tables }) => tables),
    async [Symbol.asyncDispose]() {
      for (const snapshot of opened) await snapshot[Symbol.asyncDispose]()
    }
  }
}

async function openTarget(to: Storage): Promise<RestoreTarget> {
  const { database } = to
  if (database === undefined) return openSqliteTarget((name) => fileOf(name, to))
  return openPostgresTarget(database, (name) => schemaOf(name, to))
}

function fileOf(name: string, storage: Storage): string {
  const location = databaseLocation(name, storage)
  return location.engine === 'sqlite' ? location.file : ''
}

function schemaOf(name: string, storage: Storage): string {
  const location = databaseLocation(name, storage)
  return location.engine === 'postgres' ? location.schema : ''
}

async function* each(tables: readonly BackupTable[]): AsyncGenerator<BackupTable> {
  yield* tables
}

function count(tables: readonly { rows: number }[], progress: Progress) {
  const total = tables.reduce((sum, { rows }) => sum + rows, 0)
  let done = 0
  return {
    total,
    add(rows: number) {
      done += rows
      progress(done, total)
    }
  }
}
