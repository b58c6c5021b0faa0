import { notify, query, type Transaction } from '../../../kernel/database/transaction.ts'
import { ANNOUNCE_SINCE, addAnnouncement, announceArgs } from './announce/announce-job.ts'

/**
 * To be part of each transaction that changes a board or anything on it. `isPublic` tells whether
 * the public may see it before or after the change; publishable keys see a new revision only then.
 */
export function* touchBoard(board: string, time: string, isPublic: boolean): Transaction<void> {
  yield* notify(boardTopic(board))
  const [changed, own] = ['revision = revision + 1, changed_at = ?', [time]]
  if (!isPublic) {
    yield* query(`update boards set ${changed} where id = ?`, ...own, board)
    return
  }
  const now = Date.parse(time)
  const [row] = yield* query<{ announce_since: number | null }>(
    `update boards set ${changed}, public_revision = public_revision + 1, public_changed_at = ?,
       announce_since = ${ANNOUNCE_SINCE} where id = ? returning announce_since`,
    ...[...own, time, ...announceArgs(now), board]
  )
  yield* addAnnouncement(board, row?.announce_since, now)
}

/** Tells all processes that a board has changed. */
export function boardTopic(board: string): string {
  return `board:${board}`
}
