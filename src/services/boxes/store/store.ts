import type { Database } from '../../../kernel/database/database.ts'
import { runBatches } from './batch.ts'
import { changeRecords } from './change.ts'
import { readChanges } from './changes.ts'
import { createRecords } from './create.ts'
import { fileRecords } from './file.ts'
import { declareIndexes } from './indexes.ts'
import { manageKeys } from './keys.ts'
import { listBoxes } from './list-boxes.ts'
import { lookIntoBoxes } from './look.ts'
import { boxRules } from './manage.ts'
import { readRecords } from './read.ts'
import { removeRecords } from './remove.ts'
import { scanRecords } from './scan.ts'
import { sweepBoxes } from './sweep.ts'
import { createWatch } from './watch.ts'

/** All access of this service to its database. */
export function boxStore(database: Database, nextId: () => string, now: () => Date) {
  const watch = createWatch(database)
  const creating = createRecords(database, nextId, now, watch)
  const changes = readChanges(database)
  return {
    ...creating,
    ...runBatches(database, nextId, creating.timeIn, watch),
    ...readRecords(database, now),
    ...changeRecords(database, now, watch),
    ...removeRecords(database, now, watch),
    ...changes,
    ...fileRecords(database, nextId, now, watch),
    ...manageKeys(database, nextId, now, watch),
    ...lookIntoBoxes(database, now, changes.boxState),
    ...declareIndexes(database, now),
    ...sweepBoxes(database, now, watch),
    ...boxRules(database, now),
    ...listBoxes(database),
    scan: scanRecords(database),
    watch
  }
}

export type BoxStore = ReturnType<typeof boxStore>
