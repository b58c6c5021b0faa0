import { randomBytes } from 'node:crypto'
import { link, open, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createKeyedQueue } from '../keyed-queue.ts'
import { type FileDriver, isHash, PREFIXES } from './driver.ts'
import {
  FILE_MODE,
  findPartialFiles,
  isMissing,
  namesIn,
  openPartialFile,
  PARTIAL,
  undefinedIfMissing,
  withFolder
} from './partial-file.ts'
import { makeFolder, syncFolder } from './sync-folder.ts'

const ID_FILE = 'folder-id'
/** Set aside while its removal is decided. */
const REMOVING = '.removing'

export interface FolderOptions {
  /** Whether writes wait for the disk; false for temporary data. */
  durable: boolean
}

/** Files in `<root>/ab/abcdef…`; the folder is created with the first file. */
export function openFileFolder(root: string, { durable }: FolderOptions): FileDriver {
  const inOrder = createKeyedQueue()

  function pathOf(hash: string): string {
    if (!isHash(hash)) throw new RangeError(`${hash} is not a SHA-256 in hexadecimal digits`)
    return join(root, hash.slice(0, 2), hash)
  }

  async function finish(partial: string, hash: string): Promise<void> {
    const path = pathOf(hash)
    const folder = dirname(path)
    await inOrder(hash, async () => {
      const [size, stored] = [await sizeAt(partial), await sizeAt(path)]
      // A stored file of another size is damaged and replaced.
      if (stored !== size || !(await touchAt(path))) {
        await withFolder(folder, durable, () => rename(partial, path))
      }
      if (durable) await syncFolder(folder)
    })
  }

  async function list(prefix: string): Promise<readonly string[]> {
    const names = await namesIn(join(root, prefix))
    return names.filter((name) => isHash(name) && name.startsWith(prefix)).sort()
  }

  return {
    prefixes: PREFIXES,
    begin: () => openPartialFile(root, { durable, finish }),
    async open(hash, range) {
      const file = await open(pathOf(hash), 'r').catch(undefinedIfMissing)
      if (file === undefined) return undefined
      try {
        const { size } = await file.stat()
        return { size, stream: file.createReadStream(range) }
      } catch (error) {
        await file.close()
        throw error
      }
    },
    size: (hash) => sizeAt(pathOf(hash)),
    remove: (hash) => inOrder(hash, () => rm(pathOf(hash), { force: true })),
    touch: (hash) => inOrder(hash, () => touchAt(pathOf(hash))),
    removeUnused(hash, before, isInUse) {
      const path = pathOf(hash)
      const aside = join(root, `${hash}${REMOVING}`)
      return inOrder(hash, async () => {
        if (!(await isOlder(path, before)) || (await isInUse())) return false
        // Another process may store the same content now. It finds no file, or its new time is
        // seen here, because the file is looked at again after it was set aside.
        if (!(await renamed(path, aside))) return false
        if ((await isOlder(aside, before)) && !(await isInUse())) {
          await rm(aside, { force: true })
          return true
        }
        await bringBack(aside, path)
        return false
      })
    },
    list,
    async sizes(prefix) {
      const sizes = new Map<string, number>()
      for (const hash of await list(prefix)) sizes.set(hash, (await sizeAt(pathOf(hash))) ?? 0)
      return sizes
    },
    async countLeftovers(before) {
      return (await findPartialFiles(root, before)).length
    },
    async removeLeftovers(before) {
      for (const name of await namesIn(root)) {
        if (!name.endsWith(REMOVING)) continue
        const hash = name.slice(0, -REMOVING.length)
        if (isHash(hash)) await bringBack(join(root, name), pathOf(hash))
      }
      const found = await findPartialFiles(root, before)
      for (const path of found) await rm(path, { force: true })
      return found.length
    },
    removeAll: () => rm(root, { recursive: true, force: true }),
    id: () => readId(join(root, ID_FILE)),
    async createId() {
      const id = await readId(join(root, ID_FILE))
      if (id !== undefined) return id
      await makeFolder(root, durable)
      return writeId(root)
    },
    async close() {}
  }
}

/** A link is created completely or not at all, and never replaces the id of another process. */
async function writeId(root: string): Promise<string> {
  const id = randomBytes(16).toString('hex')
  const file = join(root, ID_FILE)
  const partial = join(root, `${id}${PARTIAL}`)
  try {
    await writeFile(partial, `${id}\n`, { mode: FILE_MODE, flush: true })
    await link(partial, file).catch((error) => {
      if (error.code === 'EEXIST') return
      // Some file systems have no links.
      return rename(partial, file)
    })
  } finally {
    await rm(partial, { force: true })
  }
  await syncFolder(root)
  return (await readId(file)) ?? id
}

async function readId(file: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch(undefinedIfMissing)
  return text?.trim()
}

async function sizeAt(path: string): Promise<number | undefined> {
  return (await stat(path).catch(undefinedIfMissing))?.size
}

async function isOlder(path: string, before: number): Promise<boolean> {
  const found = await stat(path).catch(undefinedIfMissing)
  return found !== undefined && found.mtimeMs < before
}

async function touchAt(path: string): Promise<boolean> {
  const now = new Date()
  return succeeds(utimes(path, now, now))
}

function renamed(from: string, to: string): Promise<boolean> {
  return succeeds(rename(from, to))
}

/** The same content may have been stored again meanwhile. */
async function bringBack(aside: string, path: string): Promise<void> {
  if ((await sizeAt(path)) === undefined) await renamed(aside, path)
  else await rm(aside, { force: true })
}

/** False if the file is missing. */
async function succeeds(work: Promise<void>): Promise<boolean> {
  try {
    await work
    return true
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

/** Where files of a backup are until all of them have arrived. */
export function arrivalOf(root: string): string {
  return `${root}.arriving`
}

/** Removes what has arrived, also in a process that was killed. */
export async function removeArrival(root: string): Promise<void> {
  await rm(arrivalOf(root), { recursive: true, force: true })
}
