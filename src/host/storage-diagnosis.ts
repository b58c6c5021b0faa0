import { existsSync } from 'node:fs'
import { access, constants, stat, statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { inspectSchema } from '../kernel/database/inspect-postgres.ts'
import { inspectSqlite } from '../kernel/database/inspect-sqlite.ts'
import type { Schema } from '../kernel/database/migrate.ts'
import { connectOrFail } from '../kernel/database/open.ts'
import { explainRefusal } from '../kernel/database/postgres-refusal.ts'
import { requireSuitable } from '../kernel/database/postgres-requirements.ts'
import { redactUrl } from '../kernel/database/postgres-url.ts'
import { UserError } from '../kernel/errors.ts'
import type { Configuration } from './configuration-reader.ts'
import { checkUrl, databaseLocation } from './storage.ts'

export interface Diagnosis {
  ok: boolean
  what: string
  /** What was found, if it is fine. */
  note?: string
  /** What is wrong and how to fix it. */
  advice?: string
}

/** With less, writes may soon get 507. */
const LEAST_FREE_BYTES = 16 * 1024 * 1024

/** Checks the data folder and the tables of all services without changing anything. */
export async function diagnoseStorage(configuration: Configuration): Promise<readonly Diagnosis[]> {
  const { data, database } = configuration
  const tables =
    database === undefined
      ? await diagnoseFiles(configuration)
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

function megabytes(bytes: number): string {
  return `${Math.floor(bytes / 1_000_000)} MB`
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

async function diagnoseFiles(configuration: Configuration): Promise<readonly Diagnosis[]> {
  if (configuration.ephemeral) return []
  const findings: Diagnosis[] = []
  for (const schema of schemasOf(configuration)) {
    const location = databaseLocation(schema.service, storageOf(configuration))
    if (location.engine !== 'sqlite' || !existsSync(location.file)) continue
    const what = `tables of ${schema.service} in ${location.file}`
    const inspect = async () => versionNote(await inspectSqlite(location.file, schema), schema)
    findings.push(await diagnosed(what, inspect))
  }
  return findings
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
        const what = `tables of ${schema.service} in the schema ${location.schema}`
        const inspect = async () =>
          versionNote(await inspectSchema(client, facts, location.schema, schema), schema)
        findings.push(await diagnosed(what, inspect))
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

/** The schemas of the services that would use a database with this configuration. */
function schemasOf({ services, options, ephemeral }: Configuration): readonly Schema[] {
  return services.flatMap(({ name, migrations, needsDatabase }) => {
    const isNeeded = needsDatabase?.(options[name] ?? {}, ephemeral) !== false
    return migrations === undefined || !isNeeded ? [] : [{ service: name, migrations }]
  })
}

function versionNote(version: number, { migrations }: Schema): string {
  if (version === 0) return 'created at the first start'
  if (version === migrations.length) return `version ${version}`
  return `version ${version}, migrated to ${migrations.length} at the next start`
}

/** `inspect` returns a note; its error becomes the advice. */
async function diagnosed(what: string, inspect: () => Promise<string>): Promise<Diagnosis> {
  try {
    return { ok: true, what, note: await inspect() }
  } catch (error) {
    if (error instanceof UserError) return { ok: false, what, advice: error.message }
    throw error
  }
}
