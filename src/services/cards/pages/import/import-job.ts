import type { IncomingMessage } from 'node:http'
import type { ImportJob } from '../../../../kernel/exchange/import-jobs.ts'
import type { ImportReport } from '../../import-export/run/report.ts'

export type BoardJob = ImportJob<ImportReport>

/** Imports of exports that browsers send, by the code of the import command. */
export interface BoardImports {
  /** Resolves when the export has arrived; the import goes on. `userName` gets the board. */
  start: (raw: IncomingMessage, userName: string) => Promise<BoardJob>
  /** Only an import of this member. */
  find: (id: string, userName: string) => BoardJob | undefined
  stop: () => void
}
