import type { FileTarget } from '../kernel/archive/file-target.ts'
import type { Transferred } from '../kernel/archive/transfer.ts'
import { openDatabase } from '../kernel/database/open.ts'
import { UserError } from '../kernel/errors.ts'
import { replaceFolder } from '../kernel/files/table.ts'
import { type ArchiveOptions, openFilesOf, openSource, STORED } from './archive.ts'
import { findRunningInstance } from './data-folder.ts'
import { isSameLocation } from './file-location.ts'
import { databaseLocation, type Storage } from './storage.ts'

export interface CopiedFiles extends Pick<Transferred, 'files'> {
  lostFiles: number
}

/**
 * Copies the files that rows refer to and checks their hashes; then the tables, which stay where
 * they are, belong to the new location. The files in the old one are not removed.
 */
export async function copyFiles(
  from: Storage,
  to: Storage['files'],
  { progress, services = STORED }: ArchiveOptions
): Promise<CopiedFiles> {
  const target = { ...from, files: to }
  if (isSameLocation(from, target)) throw new UserError('The files are there already')
  const running = await findRunningInstance(from.folder)
  if (running !== undefined) throw new UserError(`Stop nonet first (process ${running.pid})`)
  await using files = openFilesOf(target)
  const { copied, services: stored } = await addAll(from, files, { progress, services })
  await files.commit()
  for (const { name, migrations } of services.filter(({ hasFiles }) => hasFiles)) {
    if (!stored.has(name)) continue
    const id = await files.identify(name)
    const database = await openDatabase(databaseLocation(name, from), { service: name, migrations })
    try {
      await database.write(() => replaceFolder(id))
    } finally {
      await database.close()
    }
  }
  return copied
}

async function addAll(
  from: Storage,
  files: FileTarget,
  { progress, services = STORED }: ArchiveOptions
) {
  await using source = await openSource(from, services)
  let done = 0
  for await (const file of source.content.files ?? []) {
    await files.add(file)
    done += 1
    progress(done, source.maxFiles, 'files')
  }
  return { copied: source.countFiles(), services: source.services }
}
