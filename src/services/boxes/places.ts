import { runBatch } from './batch.ts'
import { answerChanges } from './changes/poll.ts'
import { answerExport, answerImport } from './exchange/routes.ts'
import { answerScript } from './home.ts'
import { deleteIndexes, getIndexes, putIndexes } from './index-routes.ts'
import { KEYS_PLACE } from './keys/routes.ts'
import { deleteSchema, getSchema, putLimits, putSchema } from './management.ts'
import { sendMeta } from './meta.ts'
import type { Handler } from './room.ts'

/** What is reached under a reserved word, `/<word>/<box>`, by method. */
export const PLACES: Readonly<Record<string, Readonly<Record<string, Handler>>>> = {
  _meta: { GET: sendMeta, PUT: putLimits },
  _schema: { GET: getSchema, PUT: putSchema, DELETE: deleteSchema },
  _indexes: { GET: getIndexes, PUT: putIndexes, DELETE: deleteIndexes },
  _batch: { POST: runBatch },
  _keys: KEYS_PLACE,
  _changes: { GET: answerChanges },
  _export: { GET: answerExport },
  _import: { POST: answerImport },
  _page: { GET: answerScript }
}
