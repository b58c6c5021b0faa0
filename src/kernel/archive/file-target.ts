import { UserError } from '../errors.ts'
import { createFiles } from '../files/files.ts'
import { arrivalOf, openFileFolder, removeArrival } from '../files/folder.ts'
import { moveFiles } from '../files/move-files.ts'
import type { BackupFile } from './portable.ts'

/** Folders that receive files of services: all of them, or none if anything fails. */
export interface FileTarget extends AsyncDisposable {
  add: (file: BackupFile) => Promise<void>
  /** Adds them to the files that are stored; a file that is stored already is replaced. */
  commit: () => Promise<void>
  /** Resolves to the id of the folder. */
  identify: (service: string) => Promise<string>
}

/**
 * The files are in a folder of another name until `commit`. With `isSource` they come from the
 * same folders, which have them already.
 */
export function openFileTarget(
  folderOf: (service: string) => string,
  { isSource = false }: { isSource?: boolean } = {}
): FileTarget {
  const services = new Set<string>()
  return {
    async add({ file, service, read }) {
      if (isSource) return
      const folder = folderOf(service)
      if (!services.has(service)) await removeArrival(folder)
      services.add(service)
      // They are made durable together, when they are moved.
      const arriving = openFileFolder(arrivalOf(folder), { durable: false })
      const { hash } = await createFiles(arriving).put(read())
      if (hash === file) return
      throw new UserError(
        `The content of the file ${file} of ${service} does not match its hash; nothing was changed`
      )
    },
    async commit() {
      for (const service of services) {
        const folder = folderOf(service)
        await moveFiles(arrivalOf(folder), folder)
      }
    },
    identify: (service) => openFileFolder(folderOf(service), { durable: true }).createId(),
    async [Symbol.asyncDispose]() {
      for (const service of services) await removeArrival(folderOf(service))
    }
  }
}
