import { unbindTokens } from '../../../kernel/credentials/unbind.ts'
import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import { removeLane } from '../../../kernel/outbox/add-job.ts'
import { accountDeleted } from '../events/account-events.ts'
import { idOfEvent, recordEventsOf } from '../events/record-events.ts'
import { scheduleLane, submitLanes } from '../submit/jobs.ts'
import { webhookLane } from '../webhooks/jobs.ts'
import { removeEventCounts } from './event-counts.ts'
import { readEventAccounts, removeEventsBut } from './events.ts'
import { removeSubmissions } from './submissions.ts'
import { notifyWatching } from './wanted-events.ts'

/** With a column `account`. */
const TABLES = [
  'token_refreshes',
  'account_mailboxes',
  'account_logs',
  'watched_accounts',
  'watched_mailboxes',
  'moved_messages',
  'webhook_errors'
]

/**
 * An account with its queue, its tokens and its rows in all tables but those of the sandbox; false
 * if there is no such account. Of its events the last one stays; `receiver` is where it is sent, if
 * the account had a receiver of its own.
 */
export function* removeMailAccount(
  id: string,
  time: number,
  receiver: string | undefined
): Transaction<boolean> {
  const account = (yield* readEventAccounts([id])).get(id)
  if (account === undefined) return false
  yield* unbindTokens(id, time)
  const queued = yield* removeSubmissions(id)
  for (const lane of [...submitLanes(id), ...queued.map(scheduleLane)]) yield* removeLane(lane)
  yield* removeLane(webhookLane(id))
  for (const table of TABLES) yield* query(`delete from ${table} where account = ?`, id)
  yield* query('delete from accounts where id = ?', id)
  const event = accountDeleted(id, receiver)
  yield* recordEventsOf(account, [event], time)
  // Afterwards, because SQLite uses the number of a removed last row again.
  yield* removeEventsBut(id, idOfEvent(event, account))
  yield* removeEventCounts(id)
  yield* notifyWatching()
  return true
}
