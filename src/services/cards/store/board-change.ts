import { query, type Transaction } from '../../../kernel/database/transaction.ts'

/**
 * To be part of each transaction that changes a board or anything on it. `isPublic` tells whether
 * the public may see it before or after the change; publishable keys see a new revision only then.
 */
export function* touchBoard(board: string, time: string, isPublic: boolean): Transaction<void> {
  const shown = isPublic ? 'public_revision = public_revision + 1, public_changed_at = ?,' : ''
  yield* query(
    `update boards set ${shown} revision = revision + 1, changed_at = ? where id = ?`,
    ...(isPublic ? [time] : []),
    time,
    board
  )
}
