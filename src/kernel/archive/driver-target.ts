import { UserError } from '../errors.ts'
import type { FileDriver } from '../files/driver.ts'
import { createFiles } from '../files/files.ts'
import type { FileTarget } from './file-target.ts'

interface Arrival {
  driver: FileDriver
  /** Files that were not stored before. */
  added: string[]
}

/**
 * Like `openFileTarget` for a location without folders. Files are stored under their names at
 * once, because no row refers to them before the tables arrive; an error removes them again.
 */
export function openDriverTarget(
  openDriver: (service: string) => Promise<FileDriver>,
  { isSource = false }: { isSource?: boolean } = {}
): FileTarget {
  const arrivals = new Map<string, Arrival>()
  let isCommitted = false

  async function arrivalOf(service: string): Promise<Arrival> {
    const arrival = arrivals.get(service) ?? { driver: await openDriver(service), added: [] }
    arrivals.set(service, arrival)
    return arrival
  }

  return {
    async add({ file, service, size, read }) {
      if (isSource) return
      const { driver, added } = await arrivalOf(service)
      const stored = await driver.size(file)
      // The driver has compared the hash when it stored the file.
      if (stored === size && (await driver.touch(file))) return
      if (stored === undefined) added.push(file)
      const { hash } = await createFiles(driver).put(read())
      if (hash === file) return
      added.push(hash)
      throw new UserError(
        `The content of the file ${file} of ${service} does not match its hash; nothing was changed`
      )
    },
    async commit() {
      isCommitted = true
    },
    identify: async (service) => (await arrivalOf(service)).driver.createId(),
    async [Symbol.asyncDispose]() {
      for (const { driver, added } of arrivals.values()) {
        try {
          if (!isCommitted) for (const hash of added) await driver.remove(hash)
        } finally {
          await driver.close()
        }
      }
    }
  }
}
