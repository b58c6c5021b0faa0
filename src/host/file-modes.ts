import { chmod, lstat, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { SERVICE_NAMES } from './service-names.ts'

export const FOLDER_MODE = 0o700
export const FILE_MODE = 0o600

const OTHERS = 0o077
/** Beside it are its lock and, after a crash while it was written, a part of it. */
export const SECRET_KEY_FILE = 'secret.key'
const OWN_FILES = ['.gitignore', '.nonet-data', '.nonet-reserve', 'running.json']
/** Created by the system, in the root folder of a disk. */
const SYSTEM_FILES = ['lost+found']

/**
 * Lets only the owner read the data folder. Folders and files that nonet did not create are left
 * unchanged, because the data folder may be the working folder of a project.
 */
export async function tightenModes(path: string, warn: (text: string) => void): Promise<void> {
  // Windows has no modes.
  if (process.platform === 'win32') return
  const names = await readdir(path)
  const isShared = !names.every((name) => isOwn(name) || SYSTEM_FILES.includes(name))
  const paths: string[] = []
  for (const name of names.filter(isShared ? isOwnFile : isOwn)) {
    paths.push(...(await openPaths(join(path, name))))
  }
  const isOpen = isOpenMode((await stat(path)).mode)
  if (isOpen && !isShared) paths.unshift(path)
  const failed = await tighten(paths)
  if (failed.length > 0) {
    warn(`Others can read ${failed[0]}, which belongs to another user: make this user its owner`)
  } else if (paths.length > 0) {
    warn(`Other users could read ${describePaths(path, paths)}; now only the owner can`)
  }
  if (isOpen && isShared) {
    warn(`Other users can see the names of files in ${path}, which also contains other files`)
  }
}

function describePaths(folder: string, [first, ...others]: readonly string[]): string {
  if (others.length === 0) return String(first)
  return first === folder
    ? `${folder} and what is in it`
    : `${others.length + 1} files in ${folder}`
}

function isOwn(name: string): boolean {
  return isOwnFile(name) || SERVICE_NAMES.some((service) => name === service)
}

function isOwnFile(name: string): boolean {
  const isDatabase = SERVICE_NAMES.some((service) => name.startsWith(`${service}.sqlite`))
  return isDatabase || OWN_FILES.includes(name) || name.startsWith(SECRET_KEY_FILE)
}

function isOpenMode(mode: number): boolean {
  return (mode & OTHERS) !== 0
}

/**
 * The path and those below it that other users can access; links are not followed. A folder that
 * others cannot enter is not read: it may contain many thousands of files.
 */
async function openPaths(path: string): Promise<readonly string[]> {
  const entry = await lstat(path)
  if (!entry.isDirectory() && !entry.isFile()) return []
  if (!isOpenMode(entry.mode)) return []
  if (entry.isFile()) return [path]
  const below = await Promise.all((await readdir(path)).map((name) => openPaths(join(path, name))))
  return [path, ...below.flat()]
}

/** Returns the paths that belong to another user. */
async function tighten(paths: readonly string[]): Promise<readonly string[]> {
  const failed: string[] = []
  for (const path of paths) {
    const { mode } = await stat(path)
    await chmod(path, mode & ~OTHERS & 0o7777).catch(() => failed.push(path))
  }
  return failed
}
