import type { Database } from '../database/database.ts'
import type { FileDriver } from './driver.ts'
import { forgetUnused, isReferenced, rowsWithPrefix } from './table.ts'

/** Time without a reference after which a file is removed. */
export const GRACE_MS = 60 * 60 * 1_000

export interface SweepOptions {
  graceMs?: number
  now?: number
}

export interface Swept {
  files: number
  /** Incomplete files of killed processes. */
  leftovers: number
}

/**
 * Removes files that no row refers to. The time of a file whose last reference was released begins
 * when a sweep finds it, so that a backup that is being made can still read it.
 */
export async function sweepFiles(
  database: Database,
  driver: FileDriver,
  { graceMs = GRACE_MS, now = Date.now() }: SweepOptions = {}
): Promise<Swept> {
  const before = now - graceMs
  const swept = { files: 0, leftovers: await driver.removeLeftovers(before) }
  for (const prefix of driver.prefixes) {
    const hashes = await unreferenced(database, driver, prefix)
    for (const hash of hashes) {
      const isInUse = () => database.read(() => isReferenced(hash))
      if (await driver.removeUnused(hash, before, isInUse)) swept.files += 1
    }
  }
  return swept
}

async function unreferenced(
  database: Database,
  driver: FileDriver,
  prefix: string
): Promise<readonly string[]> {
  const hashes = await driver.list(prefix)
  const rows = await database.read(() => rowsWithPrefix(prefix))
  const referenced = new Set(rows.flatMap(({ hash, refs }) => (refs > 0 ? [hash] : [])))
  const released = rows.flatMap(({ hash, refs }) => (refs > 0 ? [] : [hash]))
  if (released.length > 0) {
    for (const hash of released) await driver.touch(hash)
    await database.write(() => forgetUnused(released), { frees: true })
  }
  return hashes.filter((hash) => !referenced.has(hash))
}
