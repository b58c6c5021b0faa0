import { runBatch } from './batch.ts'
import { handleChanges } from './changes/poll.ts'
import { handleExport, handleImport } from './exchange/routes.ts'
import { answerScript } from './home.ts'
import { deleteIndexes, getIndexes, putIndexes } from './index-routes.ts'
import { KEY_ROUTES } from './keys/routes.ts'
import { deleteSchema, getSchema, putLimits, putSchema } from './management.ts'
import { sendMeta } from './meta.ts'
import type { Handler } from './room.ts'

/** What is reached under a reserved word, `/<word>/<box>`, by method. */
export const RESERVED_ROUTES: Readonly<Record<string, Readonly<Record<string, Handler>>>> = {
  _meta: { GET: sendMeta, PUT: putLimits },
  _schema: { GET: getSchema, PUT: putSchema, DELETE: deleteSchema },
  _indexes: { GET: getIndexes, PUT: putIndexes, DELETE: deleteIndexes },
  _batch: { POST: runBatch },
  _keys: KEY_ROUTES,
  _changes: { GET: handleChanges },
  _export: { GET: handleExport },
  _import: { POST: handleImport },
  _page: { GET: answerScript }
}
