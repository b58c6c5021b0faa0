import { deleteIndexes, getIndexes, putIndexes } from './box/index-routes.ts'
import { KEY_ROUTES } from './box/keys/routes.ts'
import { sendMeta } from './box/meta.ts'
import { deleteSchema, getSchema, putLimits, putSchema } from './box/settings-routes.ts'
import { handleChanges } from './changes/poll.ts'
import type { Handler } from './context.ts'
import { handleExport, handleImport } from './import-export/routes.ts'
import { runBatch } from './records/batch.ts'

/** Handlers of `/<word>/<box>`, by reserved word and method. */
export const RESERVED_ROUTES: Readonly<Record<string, Readonly<Record<string, Handler>>>> = {
  _meta: { GET: sendMeta, PUT: putLimits },
  _schema: { GET: getSchema, PUT: putSchema, DELETE: deleteSchema },
  _indexes: { GET: getIndexes, PUT: putIndexes, DELETE: deleteIndexes },
  _batch: { POST: runBatch },
  _keys: KEY_ROUTES,
  _changes: { GET: handleChanges },
  _export: { GET: handleExport },
  _import: { POST: handleImport },
  _page: { GET: handleScript }
}

async function handleScript(...request: Parameters<Handler>): Promise<void> {
  const { sendScript } = await import('./pages/page-scripts.ts')
  await sendScript(...request)
}
