import type { Transaction } from '../../../../kernel/database/transaction.ts'
import type { AttachmentRow } from '../rows.ts'
import { rowsBy } from './stored-rows.ts'

export interface StoredAttachment {
  id: string
  hash: string
  bytes: number
}

/** Attachments of the board that have a file. */
export function* readStoredFiles(
  board: string,
  ids: readonly string[]
): Transaction<StoredAttachment[]> {
  const rows = yield* rowsBy<AttachmentRow>('attachments', 'id', ids)
  return rows.flatMap(({ id, board: own, hash, bytes }) =>
    own === board && hash !== null && bytes !== null ? [{ id, hash, bytes }] : []
  )
}
