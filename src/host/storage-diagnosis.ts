import { existsSync } from 'node:fs'
import { access, constants, stat, statfs } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { ClientBase } from 'pg'
import { inspectSchema } from '../kernel/database/inspect-postgres.ts'
import { inspectSqlite, readUnchanged } from '../kernel/database/inspect-sqlite.ts'
import type { Schema } from '../kernel/database/migrate.ts'
import { connectOrFail } from '../kernel/database/open.ts'
import { explainRefusal } from '../kernel/database/postgres-refusal.ts'
import { requireSuitable } from '../kernel/database/postgres-requirements.ts'
import { redactUrl } from '../kernel/database/postgres-url.ts'
import { runAsync, runSync } from '../kernel/database/run-transaction.ts'
import { numberPlaceholders } from '../kernel/database/statement-text.ts'
import type { Rows, SqlStep } from '../kernel/database/transaction.ts'
import { UserError } from '../kernel/errors.ts'
import type { ReadRows } from '../kernel/files/compare.ts'
import type { Service } from '../kernel/service.ts'
import type { Configuration } from './configuration-reader.ts'
import { type Diagnosis, diagnosed, megabytes } from './diagnosis.ts'
import { bucketOf, type FileStorage, filesFolder } from './file-location.ts'
import { diagnoseFilesIn } from './files-diagnosis.ts'
import { diagnoseLocks } from './locks-diagnosis.ts'
import { checkUrl, databaseLocation } from './storage.ts'

/** With less, writes may soon get 507. */
const LEAST_FREE_BYTES = 16 * 1024 * 1024

/** Checks the data folder and the tables of all services without changing anything. */
export async function diagnoseStorage(configuration: Configuration): Promise<readonly Diagnosis[]> {
  const { data, database } = configuration
  const tables =
    database === undefined
      ? await diagnoseSqlite(configuration)
      : await diagnoseServer(configuration, database)
  return [await diagnoseFolder(resolve(data)), ...tables]
}

/** The folder, or its nearest existing parent, must be writable and have space. */
async function diagnoseFolder(path: string): Promise<Diagnosis> {
  return diagnosed(`data folder ${path}`, async () => {
    const existing = await nearestExisting(path)
    await requireRights(existing)
    const { bavail, bsize, files, ffree } = await statfs(existing)
    const free = bavail * bsize
    if (free < LEAST_FREE_BYTES || (files > 0 && ffree === 0)) {
      const left = files > 0 && ffree === 0 ? 'no file' : `only ${megabytes(free)}`
      throw new UserError(
        `${left} is free on its disk; free some space or choose another with --data`
      )
    }
    return `${megabytes(free)} free`
  })
}

async function requireRights(folder: string): Promise<void> {
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new UserError(
      `${(error as Error).message}; give the user who runs nonet the rights to it, or choose another with --data`
    )
  }
}

async function nearestExisting(path: string): Promise<string> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw new UserError(`${error.message}; choose another with --data`)
  })
  if (found === undefined) return nearestExisting(dirname(path))
  if (!found.isDirectory())
    throw new UserError(`${path} is not a folder; choose another with --data`)
  return path
}

async function diagnoseSqlite(configuration: Configuration): Promise<readonly Diagnosis[]> {
  if (configuration.ephemeral) return []
  const findings: Diagnosis[] = []
  for (const schema of schemasOf(configuration)) {
    const location = databaseLocation(schema.service, storageOf(configuration))
    if (location.engine !== 'sqlite') continue
    const { file } = location
    const compare = (read?: ReadRows) => compareWithFiles(configuration, schema, read)
    if (!existsSync(file)) {
      findings.push(...(await compare()))
      continue
    }
    let version = 0
    const tables = await diagnosed(`tables of ${schema.service} in ${file}`, async () => {
      version = await inspectSqlite(file, schema)
      return versionNote(version, schema)
    })
    findings.push(tables)
    if (version !== schema.migrations.length) continue
    findings.push(...(await readUnchanged(file, (raw) => compare(readerOf(raw)))))
  }
  return findings
}

/** Nothing to compare if the service has no files, or neither tables nor a folder yet. */
async function compareWithFiles(
  configuration: Configuration,
  { service, hasFiles }: StoredSchema,
  read: ReadRows | undefined
): Promise<readonly Diagnosis[]> {
  const folder = resolve(configuration.data)
  if (!hasFiles) return []
  let files: FileStorage['files']
  const setting = await diagnosed('setting --files', async () => {
    files = await bucketOf(configuration)
    return files?.name ?? ''
  })
  if (!setting.ok) return [setting]
  const isLocal = files === undefined || configuration.ephemeral
  if (isLocal && read === undefined && !existsSync(filesFolder(join(folder, service)))) return []
  return diagnoseFilesIn({ folder, files, ephemeral: false }, service, read)
}

function readerOf(raw: DatabaseSync): ReadRows {
  const run = ({ sql, args }: SqlStep) => raw.prepare(sql).all(...args) as Rows
  return async (transaction) => runSync(transaction(), run)
}

function serverReader(client: ClientBase): ReadRows {
  const run = async ({ sql, args }: SqlStep): Promise<Rows> =>
    (await client.query(numberPlaceholders(sql), [...args])).rows
  return (transaction) => runAsync(transaction(), run)
}

async function diagnoseServer(
  configuration: Configuration,
  url: string
): Promise<readonly Diagnosis[]> {
  const findings: Diagnosis[] = []
  const server = await diagnosed(`database ${redactUrl(url)}`, async () => {
    checkUrl(url)
    const client = await connectOrFail({ url })
    try {
      const facts = await requireSuitable(client)
      for (const schema of schemasOf(configuration)) {
        const location = databaseLocation(schema.service, storageOf(configuration))
        if (location.engine !== 'postgres') continue
        let version = 0
        const what = `tables of ${schema.service} in the schema ${location.schema}`
        const tables = await diagnosed(what, async () => {
          version = await inspectSchema(client, facts, location.schema, schema)
          return versionNote(version, schema)
        })
        findings.push(tables)
        if (version !== schema.migrations.length) continue
        await client.query(`set search_path to "${location.schema}"`)
        const read = serverReader(client)
        findings.push(...(await compareWithFiles(configuration, schema, read)))
        findings.push(...(await diagnoseLocks(schema.locks, read)))
      }
      return `PostgreSQL ${Math.floor(facts.version / 10_000)}, ${facts.encoding}`
    } catch (error) {
      throw explainRefusal(error, { url, user: client.user })
    } finally {
      await client.end()
    }
  })
  return [server, ...findings]
}

/** An ephemeral run creates schemas of its own. */
function storageOf({ data, database, ephemeral }: Configuration) {
  const suffix = ephemeral ? 'trial' : undefined
  return { folder: resolve(data), database, ephemeral, suffix }
}

interface StoredSchema extends Schema {
  hasFiles: boolean
  locks: NonNullable<Service['locks']>
}

/** The schemas of the services that would use a database with this configuration. */
function schemasOf({ services, options, ephemeral }: Configuration): readonly StoredSchema[] {
  return services.flatMap(({ name, migrations, needsDatabase, hasFiles = false, locks = {} }) => {
    const isNeeded = needsDatabase?.(options[name] ?? {}, ephemeral) !== false
    if (migrations === undefined || !isNeeded) return []
    return [{ service: name, migrations, hasFiles, locks }]
  })
}

function versionNote(version: number, { migrations }: Schema): string {
  if (version === 0) return 'created at the first start'
  if (version === migrations.length) return `version ${version}`
  return `version ${version}, migrated to ${migrations.length} at the next start`
}
