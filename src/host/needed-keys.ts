import type { NeededKey } from '../kernel/archive/needed-keys.ts'
import { UserError } from '../kernel/errors.ts'
import { ownKeyFile } from './secret-key-file.ts'
import { type KeySettings, type LoadedKeys, loadKeys, missingKey } from './secret-keys.ts'

/** One line for the output of a backup. */
export async function describeBackupKey(
  needed: readonly NeededKey[],
  folder: string,
  settings: KeySettings
): Promise<string> {
  const { source, keys = [] } = await loadOrNone(settings, folder)
  const services = needed.map(({ service }) => service).join(', ')
  const ids = [...new Set(needed.map(({ keyId }) => keyId))]
  const isThere = ids.every((keyId) => keys.some(({ id }) => id === keyId))
  const where = isThere ? `is in ${source}: keep a copy elsewhere` : `is not in ${source} either`
  return `The secrets of ${services} are sealed; their key (${ids.join(', ')}) is not in the backup, it ${where}`
}

/** A line for each service whose secrets a start could not read with the keys that are there. */
export async function describeMissingKeys(
  needed: readonly NeededKey[],
  folder: string,
  settings: KeySettings
): Promise<readonly string[]> {
  const loaded = await loadOrNone(settings, folder)
  return needed
    .filter(({ keyId }) => !loaded.keys?.some(({ id }) => id === keyId))
    .map(
      (one) =>
        `The data is there, but nonet cannot start yet. ${missingKey(one.service, one, loaded, folder)}`
    )
}

/** A key that cannot be read counts as missing here: the data was moved anyway. */
async function loadOrNone(
  settings: KeySettings,
  folder: string
): Promise<Pick<LoadedKeys, 'source' | 'keys'>> {
  try {
    return await loadKeys(settings, folder)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return { source: settings.secretKeyFile ?? ownKeyFile(folder), keys: undefined }
  }
}
