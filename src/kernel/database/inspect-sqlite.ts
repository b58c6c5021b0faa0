import { existsSync, statSync } from 'node:fs'
import { access, constants, copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { UserError } from '../errors.ts'
import { currentVersionSqlite, requireKnownVersion, type Schema } from './migrate.ts'
import { loadSqlite } from './sqlite-connection.ts'

/** Returns the version of the tables, 0 if there are none; throws if nonet cannot use them. */
export async function inspectSqlite(file: string, schema: Schema): Promise<number> {
  for (const path of [file, `${file}-wal`, `${file}-shm`, `${file}.lock`]) {
    if (existsSync(path)) await requireAccess(path)
  }
  return readUnchanged(file, (raw) => check(raw, file, schema))
}

/** Reads the file without changing it or creating another one beside it, also while it is in use. */
export async function readUnchanged<T>(
  file: string,
  read: (raw: DatabaseSync) => T | Promise<T>
): Promise<T> {
  try {
    return await openUnchanged(file, read)
  } catch (cause) {
    if (cause instanceof UserError) throw cause
    throw unusable(file, (cause as Error).message, cause)
  }
}

async function requireAccess(path: string): Promise<void> {
  try {
    await access(path, constants.R_OK | constants.W_OK)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new UserError(
      `${path} cannot be read and written (${code}); give the user who runs nonet the rights to it`,
      { cause }
    )
  }
}

async function openUnchanged<T>(
  file: string,
  read: (raw: DatabaseSync) => T | Promise<T>
): Promise<T> {
  if (existsSync(`${file}-shm`)) return withFile(file, 'readonly_shm=1', read)
  const hasLog = existsSync(`${file}-wal`) && statSync(`${file}-wal`).size > 0
  if (!hasLog) return withFile(file, 'immutable=1', read)
  // Reading the log would create an index beside it, so a copy is read.
  const folder = await mkdtemp(join(tmpdir(), 'nonet-'))
  try {
    const copy = join(folder, 'copy.sqlite')
    for (const end of ['', '-wal']) await copyFile(`${file}${end}`, `${copy}${end}`)
    return await withFile(copy, 'mode=ro', read)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function withFile<T>(
  file: string,
  parameters: string,
  read: (raw: DatabaseSync) => T | Promise<T>
): Promise<T> {
  const { DatabaseSync } = loadSqlite()
  const url = pathToFileURL(file)
  url.search = parameters
  const raw = new DatabaseSync(url, { readOnly: true })
  try {
    return await read(raw)
  } finally {
    raw.close()
  }
}

function check(raw: DatabaseSync, file: string, schema: Schema): number {
  const result = String(raw.prepare('pragma quick_check(1)').get()?.quick_check)
  if (result !== 'ok') throw unusable(file, result.replace(/^\*\*\*.*\n/, ''))
  // A start fills an empty file.
  if (raw.prepare('select 1 from sqlite_schema limit 1').get() === undefined) return 0
  const version = currentVersionSqlite(raw)
  requireKnownVersion(schema, version, file)
  return version
}

function unusable(file: string, reason: string, cause?: unknown): UserError {
  return new UserError(
    `${file} is damaged or not a file of nonet (${reason}); move it away and restore a backup with nonet restore`,
    { cause }
  )
}
