import type { ArchiveEntry, ArchivePart } from '../../../../kernel/archive-source/entries.ts'
import { openFilePart } from '../../../../kernel/archive-source/folder-part.ts'
import { openFolderOrZip } from '../../../../kernel/archive-source/open-part.ts'
import { UserError } from '../../../../kernel/errors.ts'
import { type ArchiveKind, findArchiveRoot, singleFileName } from './archive-root.ts'

/** All parts of one archive. */
export interface Archive extends AsyncDisposable {
  readonly kind: ArchiveKind
  readonly names: readonly string[]
  /** The files of this name; parts may each have one, with other content. */
  find(name: string): readonly ArchiveEntry[]
}

/** Opens the parts of an archive; names are those below the folder with the data. */
export async function openArchive(paths: readonly string[]): Promise<Archive> {
  const parts: ArchivePart[] = []
  const closeAll = async () => {
    await Promise.all(parts.map((part) => part.close()))
  }
  try {
    for (const path of new Set(paths)) parts.push(await openPart(path))
    return { ...(await merge(parts)), [Symbol.asyncDispose]: closeAll }
  } catch (error) {
    await closeAll()
    throw error
  }
}

async function openPart(path: string): Promise<ArchivePart> {
  const part = await openFolderOrZip(path)
  if (part !== undefined) return part
  if (path.endsWith('.js')) return openSingleFile(path)
  throw new UserError(`${path} is neither a zip archive, a folder nor a tweets.js`)
}

async function openSingleFile(path: string): Promise<ArchivePart> {
  const part = await openFilePart(path)
  const name = singleFileName(path)
  return { ...part, entries: part.entries.map((entry) => ({ ...entry, name })) }
}

async function merge(
  parts: readonly ArchivePart[]
): Promise<Pick<Archive, 'kind' | 'names' | 'find'>> {
  const entries = new Map<string, ArchiveEntry[]>()
  let kind: ArchiveKind | undefined
  for (const part of parts) {
    const root = findArchiveRoot(part)
    kind ??= root.kind
    if (kind !== root.kind) {
      throw new UserError(
        'Archives of different kinds cannot be imported at once; import one after the other'
      )
    }
    for (const entry of part.entries) await addEntry(entries, entry, root.prefix)
  }
  return {
    kind: kind ?? 'x',
    names: [...entries.keys()],
    find: (name) => entries.get(name) ?? []
  }
}

async function addEntry(
  entries: Map<string, ArchiveEntry[]>,
  entry: ArchiveEntry,
  prefix: string
): Promise<void> {
  if (!entry.name.startsWith(prefix)) return
  const name = entry.name.slice(prefix.length).normalize('NFC')
  const others = entries.get(name)
  if (others === undefined) entries.set(name, [{ ...entry, name }])
  else if (!(await isAmong(others, entry))) others.push({ ...entry, name })
}

/** Whether the parts have the same file. */
async function isAmong(others: readonly ArchiveEntry[], entry: ArchiveEntry): Promise<boolean> {
  for (const other of others) {
    if (other.size !== entry.size) continue
    if ((await other.checksum()) === (await entry.checksum())) return true
  }
  return false
}
