import type { IncomingMessage } from 'node:http'
import { basename } from 'node:path'
import { finished } from 'node:stream/promises'
import { createCache } from '../../../../kernel/cache.ts'
import { StorageFull } from '../../../../kernel/database/errors.ts'
import { isDiskFull } from '../../../../kernel/database/sqlite-errors.ts'
import { UserError } from '../../../../kernel/errors.ts'
import { ImportJobs } from '../../../../kernel/exchange/import-jobs.ts'
import { nameFiles } from '../../../../kernel/exchange/name-files.ts'
import { type Upload, withUpload } from '../../../../kernel/upload.ts'
import type { CardContext } from '../../context.ts'
import {
  ImportAborted,
  ImportFileMissing,
  ImportInvalid,
  ImportRunning,
  ImportTooLarge
} from '../../contract.ts'
import { MAX_EXPORT_BYTES } from '../../import-export/limits.ts'
import { ConsoleClient } from '../../import-export/run/console-client.ts'
import { readOptions } from '../../import-export/run/options.ts'
import type { ImportReport } from '../../import-export/run/report.ts'
import { runImport } from '../../import-export/run/run-import.ts'
import type { BoardImports, BoardJob } from './import-job.ts'

const FILE_FIELD = 'export'
const MAX_FIELDS = 10
const FIELD_BYTES = 1000
/** Boundaries and headers of a form. */
const FORM_BYTES = 64 * 1024
const MAX_OWNERS = 100

interface SentExport {
  path: string
  name: string
  newIds: boolean
}

export function createBoardImports(context: CardContext): BoardImports {
  const { kernel, options, uploadFolder: folder } = context
  const jobs = new ImportJobs<ImportReport>({
    report: (error) => kernel.warn(`An import failed: ${error}`),
    running: () => new ImportRunning()
  })
  const owners = createCache<string>(MAX_OWNERS)

  async function importExport(
    { path, name, newIds }: SentExport,
    userName: string,
    show: (done: number, total: number) => void
  ): Promise<ImportReport> {
    const endpoint = kernel.consoleEndpoint?.()
    if (endpoint === undefined) throw new UserError('nonet runs without a console')
    const importOptions = readOptions({ member: userName, 'new-ids': newIds })
    return runImport(path, importOptions, new ConsoleClient(endpoint), show).catch((error) => {
      const paths = [path, basename(path)].map((one) => ({ path: one, name }))
      throw error instanceof UserError ? nameFiles(error, paths) : error
    })
  }

  /** The file is removed when `use` ends. */
  function receive(raw: IncomingMessage, use: (sent: SentExport) => Promise<void>): Promise<void> {
    const fileBytes = options.maxImportBytes + MAX_EXPORT_BYTES
    const invalid = () => new ImportInvalid('The form cannot be read; send it again')
    const limits = {
      files: 1,
      fields: MAX_FIELDS,
      fieldBytes: FIELD_BYTES,
      fileBytes,
      bodyBytes: fileBytes + FORM_BYTES
    }
    const errors = {
      invalidType: () => new ImportFileMissing(),
      invalid,
      tooLarge: () => new ImportTooLarge(fileBytes),
      tooManyParts: () => new ImportInvalid('Import one export at a time'),
      aborted: () => new ImportAborted()
    }
    return withUpload(raw, { folder, limits, errors, sync: false }, (upload) =>
      use(exportIn(upload))
    )
  }

  return {
    start(raw, userName) {
      const { promise, resolve, reject } = Promise.withResolvers<BoardJob>()
      let end: (() => void) | undefined
      function started(job: BoardJob): void {
        owners.set(job.id, userName)
        resolve(job)
      }
      jobs
        .exclusively(() =>
          receive(raw, async (sent) => {
            end = await jobs.run(started, (show) => importExport(sent, userName, show))
          })
        )
        .finally(() => end?.())
        .catch(async (error) => {
          // A browser shows the error only if it could send everything.
          await finished(raw.resume(), { writable: false }).catch(() => undefined)
          reject(isDiskFull(error) ? new StorageFull({ cause: error }) : error)
        })
      return promise
    },
    find: (id, userName) => (owners.get(id) === userName ? jobs.find(id) : undefined),
    stop: () => jobs.stop()
  }
}

function exportIn({ files, fields }: Upload): SentExport {
  const file = files.find(({ name, size }) => name === FILE_FIELD && size > 0)
  if (file === undefined) throw new ImportFileMissing()
  const newIds = fields.some(({ name, value }) => name === 'new-ids' && value === 'true')
  return { path: file.path, name: file.filename || 'The file', newIds }
}
