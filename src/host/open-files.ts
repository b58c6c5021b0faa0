import { join } from 'node:path'
import type { Database } from '../kernel/database/database.ts'
import type { Files } from '../kernel/files/files.ts'
import type { Service } from '../kernel/service.ts'
import type { Configuration } from './configuration-reader.ts'
import type { DataFolder } from './data-folder.ts'

const FIRST_SWEEP_MS = 60_000
const SWEEP_MS = 20 * 60_000

interface FilesContext {
  configuration: Configuration
  folder: DataFolder
  reporter: { warn: (text: string) => void }
}

export interface ServiceFiles {
  files: Files
  /** To be called after a reset, which removes the folder. */
  register: () => Promise<void>
  close: () => Promise<void>
}

/** The folder with the files of a service. */
export function filesFolder(serviceFolder: string): string {
  return join(serviceFolder, 'files')
}

/** The files of a service; their modules are loaded only if the service has files. */
export async function openFiles(
  { configuration, folder, reporter }: FilesContext,
  service: Service,
  database: Database | undefined
): Promise<ServiceFiles | undefined> {
  if (service.hasFiles !== true || database === undefined) return undefined
  const { openFileFolder, removeArrival } = await import('../kernel/files/folder.ts')
  const { createFiles } = await import('../kernel/files/files.ts')
  const { claimLocation } = await import('../kernel/files/claim.ts')
  const root = filesFolder(folder.serviceFolder(service.name))
  const driver = openFileFolder(root, { durable: !configuration.ephemeral })
  const reserve = database.engine === 'sqlite' ? folder.reserve() : undefined
  let isOwn = false

  async function register(): Promise<void> {
    isOwn = await claimLocation(database as Database, driver)
    if (isOwn) return
    reporter.warn(
      `The files of ${service.name} in ${root} do not belong to its tables, so that none of them ` +
        'is removed: nonet doctor says what to do'
    )
  }

  async function sweep(): Promise<void> {
    const { sweepFiles } = await import('../kernel/files/sweep.ts')
    if (isOwn) await sweepFiles(database as Database, driver)
  }

  await removeArrival(root)
  await register()
  const sweeps = repeat(sweep, (error) => {
    reporter.warn(`Unused files of ${service.name} cannot be removed: ${error.message}`)
  })
  return {
    files: createFiles(driver, {
      isFull: () => reserve?.isReleased === true && !reserve.restore()
    }),
    register,
    close: sweeps.stop
  }
}

/** `stop` waits for the run that has begun. */
function repeat(work: () => Promise<void>, onError: (error: Error) => void) {
  let running = Promise.resolve()
  let timer = setTimeout(run, FIRST_SWEEP_MS).unref()
  function run(): void {
    running = work().catch(onError)
    timer = setTimeout(run, SWEEP_MS).unref()
  }
  return {
    async stop() {
      clearTimeout(timer)
      await running
    }
  }
}
