import { openDriverTarget } from '../kernel/archive/driver-target.ts'
import { type FileTarget, openFileTarget } from '../kernel/archive/file-target.ts'
import { type NeededKey, observeKeys } from '../kernel/archive/needed-keys.ts'
import type {
  ArchiveContent,
  BackupFile,
  BackupTable,
  ServiceBackup
} from '../kernel/archive/portable.ts'
import { openPostgresTarget } from '../kernel/archive/postgres-target.ts'
import { checkArchive, readArchive } from '../kernel/archive/read-archive.ts'
import { referencedFiles } from '../kernel/archive/referenced-files.ts'
import { openSnapshot, type Snapshot } from '../kernel/archive/snapshot.ts'
import { openSqliteTarget } from '../kernel/archive/sqlite-target.ts'
import type { RestoreTarget } from '../kernel/archive/target.ts'
import { type Transferred, transfer } from '../kernel/archive/transfer.ts'
import { writeArchive } from '../kernel/archive/write-archive.ts'
import { UserError } from '../kernel/errors.ts'
import type { FileDriver } from '../kernel/files/driver.ts'
import { FILES_TABLE } from '../kernel/files/table.ts'
import { isSameLocation, nameOfFiles, openFileDriver } from './file-location.ts'
import { allServices } from './service-registry.ts'
import { databaseLocation, probeDatabase, type Storage } from './storage.ts'
import { VERSION } from './version.ts'

/** Called for each batch of rows and each file, with the number done and in total. */
export type Progress = (done: number, total: number, unit: string) => void

/** The services with tables. */
export const STORED: readonly ServiceBackup[] = allServices.flatMap(
  ({ name, migrations, derived, hasFiles }) =>
    migrations === undefined
      ? []
      : [{ name, migrations, ...(derived && { derived }), ...(hasFiles && { hasFiles }) }]
)

export interface ArchiveOptions {
  force?: boolean
  progress: Progress
  services?: readonly ServiceBackup[]
}

export interface Restored extends Transferred {
  /** Keys that sealed values need, which are not part of backups and copies. */
  neededKeys: readonly NeededKey[]
}

export interface Moved extends Restored {
  /** Number of files that rows refer to but that are missing or damaged, so that they are omitted. */
  lostFiles: number
}

/** Writes by other processes are not blocked. */
export async function backUp(
  from: Storage,
  file: string,
  { progress, services = STORED }: ArchiveOptions
): Promise<Moved> {
  await using source = await openSource(from, services)
  const neededKeys: NeededKey[] = []
  await writeArchive(file, observeKeys(source.content, neededKeys), {
    version: VERSION,
    now: new Date(),
    progress: countUp(source.rows, source.maxFiles, progress)
  })
  return { rows: source.rows, ...source.countFiles(), neededKeys }
}

/** Checks the whole file before anything is changed. */
export async function restore(
  file: string,
  to: Storage,
  { progress, force = false, services = STORED }: ArchiveOptions
): Promise<Restored> {
  const neededKeys: NeededKey[] = []
  const { headers, files } = await checkArchive(file, services)
  const count = countUp(rowsOf(headers), files, progress)
  await using target = await openTarget(to)
  await using fileTarget = openFilesOf(to)
  const targets = { tables: target, files: fileTarget }
  const content = observeKeys(readArchive(file), neededKeys)
  return { ...(await transfer(content, targets, { force, services, progress: count })), neededKeys }
}

/** Files that are in the same location stay there. */
export async function copy(
  from: Storage,
  to: Storage,
  { progress, force = false, services = STORED }: ArchiveOptions
): Promise<Moved> {
  await using source = await openSource(from, services)
  const neededKeys: NeededKey[] = []
  const count = countUp(source.rows, source.maxFiles, progress)
  await using target = await openTarget(to)
  await using fileTarget = openFilesOf(to, { isSource: isSameLocation(from, to) })
  const targets = { tables: target, files: fileTarget }
  const content = observeKeys(source.content, neededKeys)
  const done = await transfer(content, targets, { force, services, progress: count })
  return { ...done, lostFiles: source.countFiles().lostFiles, neededKeys }
}

interface Source extends AsyncDisposable {
  content: ArchiveContent
  /** Names of the services that have tables. */
  services: ReadonlySet<string>
  rows: number
  /** Not fewer than there are. */
  maxFiles: number
  /** How many were read. */
  countFiles: () => Pick<Moved, 'files' | 'lostFiles'>
}

export async function openSource(
  from: Storage,
  services: readonly ServiceBackup[]
): Promise<Source> {
  const opened: Snapshot[] = []
  const drivers: FileDriver[] = []
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
    ...describeSource(
      from,
      opened.flatMap(({ tables }) => tables),
      services,
      drivers
    ),
    async [Symbol.asyncDispose]() {
      for (const snapshot of opened) await snapshot[Symbol.asyncDispose]()
      for (const driver of drivers) await driver.close()
    }
  }
}

function describeSource(
  from: Storage,
  tables: readonly BackupTable[],
  services: readonly ServiceBackup[],
  drivers: FileDriver[]
): Omit<Source, keyof AsyncDisposable> {
  const counted = { files: 0, lostFiles: 0 }
  const withFiles = services.flatMap(({ name, hasFiles }) => (hasFiles ? [name] : []))
  const references = tables.filter(
    ({ service, table, rows }) => table === FILES_TABLE && withFiles.includes(service) && rows > 0
  )

  async function* files(): AsyncGenerator<BackupFile> {
    for (const table of references) {
      const driver = await openFileDriver(table.service, from)
      drivers.push(driver)
      for await (const file of referencedFiles(table, driver, () => counted.lostFiles++)) {
        yield file
        counted.files += 1
      }
    }
  }

  return {
    content: { tables: each(tables), files: references.length === 0 ? undefined : files() },
    services: new Set(tables.map(({ service }) => service)),
    rows: rowsOf(tables),
    maxFiles: rowsOf(references),
    countFiles: () => counted
  }
}

async function openTarget(to: Storage): Promise<RestoreTarget> {
  const { database } = to
  if (database === undefined) return openSqliteTarget((name) => fileOf(name, to))
  return openPostgresTarget(database, (name) => schemaOf(name, to))
}

export function openFilesOf(to: Storage, options: { isSource?: boolean } = {}): FileTarget {
  if (to.files === undefined) return openFileTarget((name) => nameOfFiles(name, to), options)
  return openDriverTarget((name) => openFileDriver(name, to), options)
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

function rowsOf(tables: readonly { rows: number }[]): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0)
}

/** The returned function adds to the number that is done. */
function countUp(rows: number, files: number, progress: Progress): (count: number) => void {
  const unit = files === 0 ? 'rows' : 'rows and files'
  let done = 0
  return (count) => {
    done += count
    progress(done, rows + files, unit)
  }
}
