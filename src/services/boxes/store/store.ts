import type { Database } from '../../../kernel/database/database.ts'
import { changeRecords } from './change.ts'
import { createRecords } from './create.ts'
import { readRecords } from './read.ts'
import { removeRecords } from './remove.ts'
import { scanRecords } from './scan.ts'

/** Everything this service asks of its database. */
export function boxStore(database: Database, nextId: () => string, now: () => Date) {
  return {
    ...createRecords(database, nextId, now),
    ...readRecords(database),
    ...changeRecords(database, now),
    ...removeRecords(database),
    scan: scanRecords(database)
  }
}

export type BoxStore = ReturnType<typeof boxStore>
