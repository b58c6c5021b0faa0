/** Lines of the connections of accounts, for those that have a log. */
import { insertRows } from '../../../kernel/database/insert-rows.ts'
import { query, type Transaction } from '../../../kernel/database/transaction.ts'

export interface LogLine {
  /** Unix milliseconds. */
  readonly time: number
  readonly line: string
}

/** Adds lines and removes the oldest, so that at most `keep` remain. */
export function* addLogLines(
  account: string,
  lines: readonly LogLine[],
  keep: number
): Transaction<void> {
  const known = yield* query('select 1 from accounts where id = ?', account)
  if (known.length === 0) return
  yield* insertRows(
    'account_logs',
    lines.slice(-keep).map(({ time, line }) => ({ account, time, line }))
  )
  yield* query(
    `delete from account_logs where account = ? and number <=
       (select number from account_logs where account = ? order by number desc limit 1 offset ?)`,
    ...[account, account, keep]
  )
}

export interface LogRow extends LogLine {
  readonly number: number
}

/** The next lines after a number, oldest first. */
export function readLogLines(
  account: string,
  after: number,
  limit: number
): Transaction<readonly LogRow[]> {
  return query<LogRow>(
    `select number, time, line from account_logs
     where account = ? and number > ? order by number limit ?`,
    ...[account, after, limit]
  )
}
