import { resolve } from 'node:path'
import { findRunningInstance } from '../host/data-folder.ts'
import { bucketOf } from '../host/file-location.ts'
import type { Storage } from '../host/storage.ts'
import { UserError } from '../kernel/errors.ts'
import type { S3Location } from '../kernel/files/s3-location.ts'
import { type Command, type Invocation, UsageError } from './command.ts'
import { configurationOf } from './setting-flags.ts'

export const storageFlags: Command['flags'] = {
  data: { type: 'string' },
  database: { type: 'string' },
  files: { type: 'string' },
  'secret-key-file': { type: 'string' },
  config: { type: 'string' }
}

export const storageFlagHelp = {
  data: 'data folder',
  database: 'URL of a PostgreSQL database to use instead of files in the data folder',
  files: 'URL of an S3 bucket with the files of all services, instead of the data folder',
  'secret-key-file': 'file with the key that seals stored secrets',
  config: 'configuration file'
}

/** Location of the tables; by default the database of the process that uses the folder. */
export async function storageOf(invocation: Invocation): Promise<Storage> {
  const { data, database } = configurationOf(invocation)
  const folder = resolve(data)
  const running = await findRunningInstance(folder)
  return { folder, database: database ?? running?.database, ephemeral: false }
}

/** Location of tables and files; by default the bucket of the process that uses the folder. */
export async function storageWithFiles(invocation: Invocation): Promise<Storage> {
  const storage = await storageOf(invocation)
  return { ...storage, files: await bucketFor(invocation, storage) }
}

/** `url` is the URL of another bucket, which has the same keys. */
export async function bucketFor(
  invocation: Invocation,
  { folder }: Storage,
  url?: string
): Promise<S3Location | undefined> {
  const configuration = configurationOf(invocation)
  const running = await findRunningInstance(folder)
  return bucketOf({ ...configuration, files: url ?? configuration.files ?? running?.files })
}

export function fileArgument(file: string | undefined, usage: string): string {
  if (file === undefined) throw new UsageError(`Missing file. Usage: ${usage}`)
  return resolve(file)
}

/** Converts errors of files and databases to `UserError`, which is printed without a stack. */
export async function asUserError<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof UserError) throw cause
    const { FilesUnavailable } = await import('../kernel/files/errors.ts')
    if (cause instanceof FilesUnavailable) {
      const reason = cause.cause instanceof Error ? cause.cause.message : cause.message
      throw new UserError(`Cannot ${what}: the bucket is not available (${reason})`, { cause })
    }
    const { message, code } = cause as NodeJS.ErrnoException
    throw new UserError(`Cannot ${what}: ${message || code}; nothing was changed`, { cause })
  }
}
