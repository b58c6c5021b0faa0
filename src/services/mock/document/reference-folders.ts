import { realpath } from 'node:fs/promises'
import { dirname, isAbsolute, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UserError } from '../../../kernel/errors.ts'

/** A reference that must not be followed; unlike an unreadable file it is not watched. */
export class ReferenceRefused extends UserError {}

/** Path of a file URL; undefined if a URL names no local file, as `file://host/a` and `https://a`. */
export function filePathOf(href: string): string | undefined {
  try {
    return fileURLToPath(href)
  } catch {
    return undefined
  }
}

/** Returns the real path of a referenced file; throws if it is outside the permitted folders. */
export type PermitFile = (path: string) => Promise<string>

/**
 * Permits files below the folders of the documents that the operator named and below the working
 * folder. The path is compared before the file is touched, and again with symbolic links resolved.
 */
export function createPermitFile(named: readonly URL[]): PermitFile {
  let folders: Promise<readonly string[]> | undefined
  return async function permit(path) {
    folders ??= foldersOf(named)
    const known = await folders
    if (!isBelowAny(path, known)) throw outside(path)
    const real = await realpath(path)
    if (!isBelowAny(real, known)) throw outside(path)
    return real
  }
}

async function foldersOf(named: readonly URL[]): Promise<readonly string[]> {
  const folders = new Set<string>()
  for (const { href } of named) {
    const path = filePathOf(href)
    if (path === undefined) continue
    folders.add(dirname(path))
    folders.add(await realpath(dirname(path)).catch(() => dirname(path)))
    folders.add(dirname(await realpath(path).catch(() => path)))
  }
  const working = await realpath('.')
  // A service manager starts processes in the root folder, which contains everything.
  if (dirname(working) !== working) folders.add(working)
  return [...folders]
}

function isBelowAny(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => {
    const way = relative(folder, path)
    return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
  })
}

function outside(path: string): ReferenceRefused {
  return new ReferenceRefused(
    `${path} is outside the folder of the document and the working folder; allow such references with --allow-refs-outside`
  )
}
