import type { Transaction } from '../database/transaction.ts'
import type { FileDriver } from './driver.ts'
import { registeredFolder, rowsWithPrefix } from './table.ts'

export interface FileComparison {
  /** Files that rows refer to, and their bytes. */
  referenced: number
  bytes: number
  /** How many of them are not stored, or with another size. */
  missing: number
  /** Stored files that no row refers to. */
  orphaned: number
  /** Files that are not complete. */
  incomplete: number
  /** Whether the location is the one that is registered in the tables. */
  isRegistered: boolean
}

export type ReadRows = <T>(transaction: () => Transaction<T>) => Promise<T>

/** Compares rows and files without changing either; `read` is undefined if there are no tables. */
export async function compareFiles(
  read: ReadRows | undefined,
  driver: FileDriver
): Promise<FileComparison> {
  const found = { referenced: 0, bytes: 0, missing: 0, orphaned: 0 }
  for (const prefix of driver.prefixes) {
    const rows = (await read?.(() => rowsWithPrefix(prefix))) ?? []
    const stored = new Map(await driver.sizes(prefix))
    for (const { hash, size, refs } of rows) {
      if (refs === 0) continue
      found.referenced += 1
      found.bytes += size
      if (stored.get(hash) !== size) found.missing += 1
      stored.delete(hash)
    }
    found.orphaned += stored.size
  }
  const id = await driver.id()
  const registered = await read?.(registeredFolder)
  // A start registers a folder without files.
  const isNew = registered === undefined && found.orphaned === 0
  return {
    ...found,
    incomplete: await driver.countLeftovers(Number.POSITIVE_INFINITY),
    isRegistered: registered === id || isNew
  }
}
