import { randomBytes } from 'node:crypto'
import { open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { PartialFile } from './driver.ts'
import { makeFolder } from './sync-folder.ts'

/** Only the owner can read the files, as everything in the data folder. */
export const FILE_MODE = 0o600
/** Not complete yet. */
export const PARTIAL = '.part'

interface PartialOptions {
  durable: boolean
  /** Stores the complete file, which may be moved. */
  finish: (path: string, hash: string) => Promise<void>
}

/** A file on the disk that is being written, `<root>/….part`. */
export async function openPartialFile(
  root: string,
  { durable, finish }: PartialOptions
): Promise<PartialFile> {
  const path = join(root, `${randomBytes(16).toString('hex')}${PARTIAL}`)
  const file = await withFolder(root, durable, () => open(path, 'wx', FILE_MODE))
  let isOpen = true
  async function close(): Promise<void> {
    if (!isOpen) return
    isOpen = false
    await file.close()
  }
  return {
    write: (bytes) => file.appendFile(bytes),
    async finish(hash) {
      if (durable) await file.sync()
      await close()
      await finish(path, hash)
      await rm(path, { force: true })
    },
    async discard() {
      await close()
      await rm(path, { force: true })
    }
  }
}

/** Those that were last changed before that time, in milliseconds since 1970. */
export async function findPartialFiles(root: string, before: number): Promise<readonly string[]> {
  const found: string[] = []
  for (const name of await namesIn(root)) {
    const path = join(root, name)
    if (!name.endsWith(PARTIAL)) continue
    const partial = await stat(path).catch(undefinedIfMissing)
    if (partial !== undefined && partial.mtimeMs < before) found.push(path)
  }
  return found
}

/** The whole service folder is removed by a reset, also while the service runs. */
export async function withFolder<T>(
  folder: string,
  durable: boolean,
  work: () => Promise<T>
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isMissing(error)) throw error
    await makeFolder(folder, durable)
    return work()
  }
}

export async function namesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder).catch(undefinedIfMissing)) ?? []
}

export function undefinedIfMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error
}

export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}
