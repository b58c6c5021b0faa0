import type { Database } from '../kernel/database/database.ts'
import { UserError } from '../kernel/errors.ts'
import { claimCheck, verifyCheck } from '../kernel/secrets/check.ts'
import { createKey, type SecretKeys } from '../kernel/secrets/keys.ts'
import { type CheckValue, readCheck } from '../kernel/secrets/table.ts'
import type { Configuration } from './configuration-reader.ts'
import type { DataFolder } from './data-folder.ts'
import { createKeyFile } from './secret-key-file.ts'
import { damagedCheck, loadKeys, missingKey, openKeyFile } from './secret-keys.ts'
import { findChecks } from './stored-checks.ts'

interface KeysContext {
  configuration: Configuration
  folder: DataFolder
  reporter: { warn: (text: string) => void }
}

/**
 * The keys that the settings name, or those in the data folder. A first key is created there, but
 * only if no service has secrets that are sealed with another one.
 */
export async function prepareKeys(
  { configuration, folder, reporter }: KeysContext,
  service: string,
  database: Database
): Promise<SecretKeys> {
  if (configuration.ephemeral) return [createKey()]
  const loaded = await loadKeys(configuration, folder.path)
  if (loaded.isOpen) reporter.warn(openKeyFile(loaded.source))
  if (loaded.keys !== undefined) return loaded.keys
  const needed = await findNeeded(configuration, folder.path, service, database)
  if (needed === undefined) return createKeyFile(loaded.source, [createKey()])
  // Another process may have created the key, and then the check value, since it was looked for.
  const { keys } = await loadKeys(configuration, folder.path)
  if (keys !== undefined) return keys
  throw new UserError(missingKey(...needed, loaded, folder.path))
}

/** A service whose secrets need a key, first the one that is started. */
async function findNeeded(
  configuration: Configuration,
  folder: string,
  service: string,
  database: Database
): Promise<readonly [service: string, check: CheckValue] | undefined> {
  const own = await database.read(readCheck)
  if (own !== undefined) return [service, own]
  const names = configuration.services.map(({ name }) => name)
  const { database: url, ephemeral } = configuration
  const [other] = await findChecks({ folder, database: url, ephemeral }, names)
  return other
}

/** Checks that the keys are those of the tables; the first use of the tables decides. */
export async function register(
  { configuration, folder }: KeysContext,
  service: string,
  database: Database,
  keys: SecretKeys
): Promise<void> {
  const stored = await database.read(readCheck)
  const check = stored ?? (await claimCheck(database, service, keys))
  const result = verifyCheck(service, keys, check)
  if (result === 'ok') return
  if (result === 'damaged') throw new UserError(damagedCheck(service, check))
  const { source } = await loadKeys(configuration, folder.path)
  throw new UserError(missingKey(service, check, { source, keys }, folder.path))
}
