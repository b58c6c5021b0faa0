import type { NeededKey } from '../kernel/archive/needed-keys.ts'
import type { Invocation } from './command.ts'
import { configurationOf } from './setting-flags.ts'

/** Says that a backup does not contain the key of its secrets, and where the key is. */
export async function tellKeyOfBackup(
  needed: readonly NeededKey[],
  folder: string,
  invocation: Invocation
): Promise<void> {
  if (needed.length === 0) return
  const { describeBackupKey } = await import('../host/needed-keys.ts')
  process.stderr.write(`${await describeBackupKey(needed, folder, configurationOf(invocation))}\n`)
}

/** Says which keys have to be brought before nonet can start with the restored data. */
export async function tellMissingKeys(
  needed: readonly NeededKey[],
  folder: string,
  invocation: Invocation
): Promise<void> {
  if (needed.length === 0) return
  const { describeMissingKeys } = await import('../host/needed-keys.ts')
  const lines = await describeMissingKeys(needed, folder, configurationOf(invocation))
  for (const line of lines) process.stderr.write(`${line}\n`)
}
