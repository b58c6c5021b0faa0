import type { IncomingMessage } from 'node:http'
import { finished } from 'node:stream/promises'
import { UserError } from '../../../kernel/errors.ts'
import { ImportJobs, type ImportJob as Job } from '../../../kernel/exchange/import-jobs.ts'
import { nameFiles } from '../../../kernel/exchange/name-files.ts'
import type { StatusContext } from '../context.ts'
import { ImportInvalid, ImportRunning } from '../contract.ts'
import { ConsoleClient } from '../import/console-client.ts'
import { type ImportOptions, readOptions } from '../import/options.ts'
import type { ImportReport } from '../import/report.ts'
import { runImport } from '../import/run-import.ts'
import { type ReceivedArchive, receiveArchive } from './receive-archive.ts'

export type ImportJob = Job<ImportReport>

/** Imports of archives that browsers and curl send, by the code of the import command. */
export interface ArchiveImports {
  /** Resolves when the archive has arrived; the import goes on. */
  start: (request: IncomingMessage, query: URLSearchParams) => Promise<ImportJob>
  find: (id: string) => ImportJob | undefined
  current: () => ImportJob | undefined
  stop: () => void
}

export function createArchiveImports({
  kernel,
  options,
  uploadFolder: folder
}: StatusContext): ArchiveImports {
  const jobs = new ImportJobs<ImportReport>({
    report: (error) => kernel.warn(`An import failed: ${error}`),
    running: () => new ImportRunning()
  })
  const target = { folder, maxBytes: options.maxArchiveBytes }

  async function importFiles(
    { files }: ReceivedArchive,
    importOptions: ImportOptions,
    show: (done: number, total: number) => void
  ): Promise<ImportReport> {
    const endpoint = kernel.consoleEndpoint?.()
    if (endpoint === undefined) throw new UserError('nonet runs without a console')
    const paths = files.map(({ path }) => path)
    return runImport(paths, importOptions, new ConsoleClient(endpoint), show).catch((error) => {
      throw error instanceof UserError ? nameFiles(error, files) : error
    })
  }

  return {
    start(request, query) {
      const { promise, resolve, reject } = Promise.withResolvers<ImportJob>()
      let end: (() => void) | undefined
      jobs
        .exclusively(() =>
          receiveArchive(request, query, target, async (archive) => {
            const importOptions = await readOptions(archive.flags).catch(rejectOption)
            end = await jobs.run(resolve, (show) => importFiles(archive, importOptions, show))
          })
        )
        .finally(() => end?.())
        .catch(async (error) => {
          // A browser shows the error only if it could send everything.
          await finished(request.resume(), { writable: false }).catch(() => undefined)
          reject(error)
        })
      return promise
    },
    find: (id) => jobs.find(id),
    current: () => jobs.current,
    stop: () => jobs.stop()
  }
}

function rejectOption(error: unknown): never {
  throw error instanceof UserError ? new ImportInvalid(error.message) : error
}
