import type { Database } from '../database/database.ts'
import type { JobResult } from './job.ts'
import { type Mark, markWith } from './marks.ts'
import { type Pauses, retryPause } from './pauses.ts'

export interface ResultWriter {
  database: Database
  pauses: Pauses
  /** Whether this process still has the job. */
  isOwn: () => boolean
  mark: () => Mark
}

/**
 * Writes the mark and the handler's changes in one transaction, again while the database is
 * unavailable. Resolves to false if the lease was lost, and to the error if they are rejected.
 */
export async function writeResult(
  { database, pauses, isOwn, mark }: ResultWriter,
  write: NonNullable<JobResult['write']>
): Promise<boolean | Error> {
  for (let failed = 0; isOwn(); failed++) {
    try {
      const current = mark()
      return await database.write(() => markWith(current, write), { frees: true })
    } catch (error) {
      if (!isStorageError(error)) return error as Error
      await pauses.pause(retryPause(failed))
    }
  }
  return false
}

function isStorageError(error: unknown): boolean {
  return String((error as NodeJS.ErrnoException).code).startsWith('STORAGE_')
}
