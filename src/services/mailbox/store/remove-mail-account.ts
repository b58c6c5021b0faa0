import { unbindTokens } from '../../../kernel/credentials/unbind.ts'
import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import { removeLane } from '../../../kernel/outbox/add-job.ts'
import { scheduleLane, submitLanes } from '../submit/jobs.ts'
import { removeEventCounts } from './event-counts.ts'
import { removeSubmissions } from './submissions.ts'

/**
 * An account with its queue, its tokens and its rows in all tables but those of the sandbox; false
 * if there is no such account.
 */
export function* removeMailAccount(account: string, time: number): Transaction<boolean> {
  yield* unbindTokens(account, time)
  const queued = yield* removeSubmissions(account)
  for (const lane of [...submitLanes(account), ...queued.map(scheduleLane)]) yield* removeLane(lane)
  yield* removeEventCounts(account)
  for (const table of ['token_refreshes', 'account_mailboxes', 'account_logs']) {
    yield* query(`delete from ${table} where account = ?`, account)
  }
  const rows = yield* query('delete from accounts where id = ? returning id', account)
  return rows.length > 0
}
