import { resolve } from 'node:path'
import { findRunningInstance } from '../host/data-folder.ts'
import type { Storage } from '../host/storage.ts'
import { UserError } from '../kernel/errors.ts'
import { type Command, type Invocation, UsageError } from './command.ts'
import { configurationOf } from './setting-flags.ts'

export const storageFlags: Command['flags'] = {
  data: { type: 'string' },
  database: { type: 'string' },
  'secret-key-file': { type: 'string' },
  config: { type: 'string' }
}

export const storageFlagHelp = {
  data: 'data folder',
  database: 'URL of a PostgreSQL database to use instead of files in the data folder',
  'secret-key-file': 'file with the key that seals stored secrets',
  config: 'configuration file'
}

/** Location of the data; by default the database of the process that uses the folder. */
export async function storageOf(invocation: Invocation): Promise<Storage> {
  const { data, database } = configurationOf(invocation)
  const folder = resolve(data)
  const running = await findRunningInstance(folder)
  return { folder, database: database ?? running?.database, ephemeral: false }
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
    const { message, code } = cause as NodeJS.ErrnoException
    throw new UserError(`Cannot ${what}: ${message || code}; nothing was changed`, { cause })
  }
}
