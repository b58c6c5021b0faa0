import { queryAutocommit, type Transaction } from '../../../kernel/database/transaction.ts'
import { lastErased } from '../records/own-post.ts'

/** Whether a deleted post cannot be restored any more and is not erased yet. */
export function* hasErasable(time: string): Transaction<boolean> {
  const rows = yield* queryAutocommit(
    'select 1 as found from posts where deleted_at <= ? limit 1',
    lastErased(time)
  )
  return rows.length > 0
}
