import type { ImapFlow, ListResponse } from 'imapflow'
import { FolderNotFound } from './contract.ts'
import { type FolderHints, foldersOf, isSelectable, listFolders } from './folders.ts'
import { type SpecialUse, specialUseNamed } from './special-uses.ts'

/** The path of a mailbox, or of that with a special use such as `\Sent`. Throws `FolderNotFound`. */
export async function resolvePath(
  client: ImapFlow,
  hints: FolderHints,
  path: string
): Promise<string> {
  const use = specialUseNamed(path)
  if (use === undefined) return path
  const folder = await findSpecialUse(client, hints, use)
  if (folder === undefined) throw new FolderNotFound()
  return folder.path
}

/** Undefined if no mailbox has this use. */
export async function findSpecialUse(
  client: ImapFlow,
  hints: FolderHints,
  use: SpecialUse
): Promise<ListResponse | undefined> {
  const find = (folders: readonly ListResponse[]) =>
    folders.find((folder) => folder.specialUse === use && isSelectable(folder))
  // Another program may have created it since the last list.
  return find(await foldersOf(client, hints)) ?? find(await listFolders(client, hints))
}

export async function specialUseOf(
  client: ImapFlow,
  hints: FolderHints,
  path: string
): Promise<string | undefined> {
  const folders = await foldersOf(client, hints)
  return folders.find((folder) => folder.path === path)?.specialUse
}
