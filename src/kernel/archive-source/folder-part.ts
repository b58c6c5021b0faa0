import { createReadStream, type Dirent } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, join, sep } from 'node:path'
import { crc32 } from 'node:zlib'
import { UserError } from '../errors.ts'
import { nameProblem } from '../zip/entry-name.ts'
import { DEFAULT_ZIP_LIMITS } from '../zip/limits.ts'
import type { ArchiveEntry, ArchivePart } from './entries.ts'

const MAX_DEPTH = 8
const MAX_ENTRIES = DEFAULT_ZIP_LIMITS.entries

/** An unpacked archive. Links that lead out of the folder are refused. */
export async function openFolderPart(path: string): Promise<ArchivePart> {
  const root = await realpath(path)
  const entries: ArchiveEntry[] = []
  for await (const name of walk(root, '', 0)) {
    const file = join(root, name)
    const { size } = await stat(file)
    entries.push(fileEntry(file, name, size, `${name} of ${basename(path)}`))
    if (entries.length > MAX_ENTRIES) {
      throw new UserError(`${path} has more than ${MAX_ENTRIES} files; name the unpacked archive`)
    }
  }
  return { path, entries, close: async () => undefined }
}

/** A single file, as an archive of one. */
export async function openFilePart(path: string): Promise<ArchivePart> {
  const { size } = await stat(path)
  const entry = fileEntry(path, basename(path), size, basename(path))
  return { path, entries: [entry], close: async () => undefined }
}

function fileEntry(path: string, name: string, size: number, label: string): ArchiveEntry {
  const read = () => createReadStream(path, { highWaterMark: 64 * 1024 })
  return {
    ...{ name, size, label, read },
    async checksum() {
      let crc = 0
      for await (const chunk of read()) crc = crc32(chunk, crc)
      return crc
    }
  }
}

/** Names of all files below the folder. */
async function* walk(root: string, folder: string, depth: number): AsyncGenerator<string> {
  if (depth > MAX_DEPTH) return
  const children = await readdir(join(root, folder), { withFileTypes: true })
  for (const child of children.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const name = folder === '' ? child.name : `${folder}/${child.name}`
    if (nameProblem(name) !== undefined) continue
    const kind = await kindOf(root, name, child)
    if (kind === 'folder') yield* walk(root, name, depth + 1)
    else if (kind === 'file') yield name
  }
}

async function kindOf(
  root: string,
  name: string,
  child: Dirent
): Promise<'file' | 'folder' | undefined> {
  if (child.isDirectory()) return 'folder'
  if (child.isFile()) return 'file'
  if (!child.isSymbolicLink()) return undefined
  const target = await realpath(join(root, name)).catch(() => undefined)
  if (target === undefined) return undefined
  if (!target.startsWith(root + sep)) {
    throw new UserError(`${join(root, name)} is a link to a file outside of the folder; remove it`)
  }
  // A link to a folder might lead back to itself; the files below it are found without the link.
  return (await stat(target)).isFile() ? 'file' : undefined
}
