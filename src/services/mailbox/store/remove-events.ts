/** Removal of old events, in steps of limited size. */
import type { Engine } from '../../../kernel/database/database.ts'
import { query, type SqlValue, type Transaction } from '../../../kernel/database/transaction.ts'
import { isWaitingJob } from '../../../kernel/outbox/job-states.ts'

/** Events of one query. */
const PAGE = 1000

export interface RemovedEvents {
  /** Unix milliseconds: those that were stored before. */
  readonly storedBefore?: number
  /** Those with lower numbers, of all accounts or of one. */
  readonly below?: number
  readonly account?: string
  /** Whether events that wait to be sent are removed too. */
  readonly withWaiting: boolean
}

/**
 * The number of removed events, at most `limit`. The last one of the log always stays: SQLite would
 * use its number again, and readers of the log rely on numbers.
 */
export function* removeEvents(
  engine: Engine,
  { storedBefore, below, account, withWaiting }: RemovedEvents,
  limit: number
): Transaction<number> {
  const conditions: [sql: string, value: SqlValue | undefined][] = [
    ['created_at < ?', storedBefore],
    ['number < ?', below],
    ['account = ?', account]
  ]
  const used = conditions.filter(([, value]) => value !== undefined)
  const parts = [...used.map(([sql]) => sql), 'number < (select max(number) from events)']
  if (!withWaiting) parts.push(`not ${isWaitingJob('events.job')}`)
  const order = storedBefore === undefined ? 'number' : 'created_at'
  const removed = yield* query(
    `delete from events where number in (select number from events
       where ${parts.join(' and ')} order by ${order} limit ?
       ${engine === 'postgres' ? 'for update skip locked' : ''})
     returning number`,
    ...[...used.map(([, value]) => value ?? null), limit]
  )
  return removed.length
}

/** The next account with events, in the order of ids. */
export function* nextAccountWithEvents(after: string): Transaction<string | undefined> {
  const [row] = yield* query<{ account: string }>(
    'select account from events where account > ? order by account limit 1',
    after
  )
  return row?.account
}

export interface SizePage {
  readonly sizes: readonly { number: number; size: number }[]
  readonly hasMore: boolean
}

/** Events of an account before a number, the newest first. */
export function* readEventSizes(account: string, before: number): Transaction<SizePage> {
  const sizes = yield* query<{ number: number; size: number }>(
    `select number, size from events where account = ? and number < ?
     order by number desc limit ?`,
    ...[account, before, PAGE]
  )
  return { sizes, hasMore: sizes.length === PAGE }
}
