import type { Database } from '../kernel/database/database.ts'
import type { Files } from '../kernel/files/files.ts'
import type { S3Location } from '../kernel/files/s3-location.ts'
import type { Service } from '../kernel/service.ts'
import type { Configuration } from './configuration-reader.ts'
import type { DataFolder } from './data-folder.ts'
import { filesFolder, nameOfFiles, openFileDriver } from './file-location.ts'

const FIRST_SWEEP_MS = 60_000
const SWEEP_MS = 20 * 60_000
/** Problems with a bucket that concern every request are told once in this time. */
const REPORT_MS = 60_000

interface FilesContext {
  configuration: Pick<Configuration, 'ephemeral'>
  folder: DataFolder
  /** Undefined if the files are in the data folder. */
  bucket?: S3Location | undefined
  reporter: { warn: (text: string) => void }
}

export interface ServiceFiles {
  files: Files
  /** To be called when a reset has emptied the tables. */
  reset: () => Promise<void>
  close: () => Promise<void>
}

/** The files of a service; their modules are loaded only if the service has files. */
export async function openFiles(
  { configuration, folder, bucket, reporter }: FilesContext,
  service: Service,
  database: Database | undefined
): Promise<ServiceFiles | undefined> {
  if (service.hasFiles !== true || database === undefined) return undefined
  const { removeArrival } = await import('../kernel/files/folder.ts')
  const { createFiles } = await import('../kernel/files/files.ts')
  const { claimLocation } = await import('../kernel/files/claim.ts')
  const storage = { folder: folder.path, files: bucket, ephemeral: configuration.ephemeral }
  const where = nameOfFiles(service.name, storage)
  const warn = atMostEvery(REPORT_MS, (problem) => {
    reporter.warn(`The files of ${service.name} are not available: ${problem}`)
  })
  /** A start that fails says why in its error. */
  let early: string | undefined
  let report = (problem: string) => {
    early = problem
  }
  const driver = await openFileDriver(service.name, storage, { report: (text) => report(text) })
  // Files are collected in the data folder also if they are stored elsewhere.
  const reserve = database.engine === 'sqlite' ? folder.reserve() : undefined
  let isOwn: boolean | undefined

  async function register(): Promise<void> {
    isOwn = await claimLocation(database as Database, driver)
    if (isOwn) return
    reporter.warn(
      `The files of ${service.name} in ${where} do not belong to its tables, so that none of them ` +
        'is removed: nonet doctor says what to do'
    )
  }

  async function registerAtStart(): Promise<void> {
    try {
      await register()
    } catch (error) {
      const { explainUnavailable } = await import('./unavailable-files.ts')
      await explainUnavailable(error, where, database as Database)
    }
  }

  async function sweep(): Promise<void> {
    const { sweepFiles } = await import('../kernel/files/sweep.ts')
    if (isOwn === undefined) await register()
    if (isOwn) await sweepFiles(database as Database, driver)
  }

  await removeArrival(filesFolder(folder.serviceFolder(service.name)))
  try {
    await registerAtStart()
  } catch (error) {
    await driver.close()
    throw error
  }
  report = warn
  if (early !== undefined) warn(early)
  const sweeps = repeat(sweep, (error) => {
    reporter.warn(`Unused files of ${service.name} cannot be removed: ${error.message}`)
  })
  return {
    files: createFiles(driver, {
      isFull: () => reserve?.isReleased === true && !reserve.restore()
    }),
    async reset() {
      // A folder is of this installation; a bucket may be of others, too.
      if (isOwn || bucket === undefined) await driver.removeAll()
      await register()
    },
    async close() {
      await sweeps.stop()
      await driver.close()
    }
  }
}

function atMostEvery(ms: number, tell: (text: string) => void): (text: string) => void {
  let next = Number.NEGATIVE_INFINITY
  return (text) => {
    if (performance.now() < next) return
    next = performance.now() + ms
    tell(text)
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
