import { fullGroupsOf, placeholders } from '../../../kernel/database/groups.ts'
import { query, type Transaction } from '../../../kernel/database/transaction.ts'

const MINUTE_MS = 60_000
/** Of the rows by minute; the totals stay. */
const KEPT_MINUTES = 24 * 60
const TOTAL = 0
/** Accounts of one query. */
const COUNTED_AT_ONCE = 100

const ADD = `insert into event_counts (account, name, minute, count) values (?, ?, ?, ?)
  on conflict (account, name, minute) do update set count = event_counts.count + excluded.count`

/** Belongs to the transaction of the events. */
export function* countEvents(
  events: readonly { readonly account: string; readonly name: string }[],
  time: number
): Transaction<void> {
  const minute = Math.floor(time / MINUTE_MS)
  for (const same of Map.groupBy(events, ({ account, name }) => `${account} ${name}`).values()) {
    const [{ account, name } = { account: '', name: '' }] = same
    for (const one of [minute, TOTAL]) yield* query(ADD, account, name, one, same.length)
  }
}

export interface CounterRow {
  account: string
  name: string
  count: number
}

/** Totals of accounts by name. */
export function* readCounters(ids: readonly string[]): Transaction<readonly CounterRow[]> {
  const counters: CounterRow[] = []
  for (const group of fullGroupsOf(ids, COUNTED_AT_ONCE)) {
    const rows = yield* query<CounterRow>(
      `select account, name, count from event_counts
       where account in (${placeholders(group.length)}) and minute = ? order by account, name`,
      ...[...group, TOTAL]
    )
    counters.push(...rows)
  }
  return counters
}

/** Totals of all accounts by name. */
export function* readAllEventTotals(): Transaction<Readonly<Record<string, number>>> {
  const rows = yield* query<{ name: string; count: number }>(
    `select name, cast(sum(count) as bigint) as count from event_counts where minute = ?
     group by name order by name`,
    TOTAL
  )
  return Object.fromEntries(rows.map(({ name, count }) => [name, Number(count)]))
}

/** Numbers of all accounts by name, since a time of at most a day ago. */
export function* readEventsSince(time: number): Transaction<Readonly<Record<string, number>>> {
  const rows = yield* query<{ name: string; count: number }>(
    `select name, cast(sum(count) as bigint) as count from event_counts where minute >= ?
     group by name order by name`,
    Math.max(Math.floor(time / MINUTE_MS), 1)
  )
  return Object.fromEntries(rows.map(({ name, count }) => [name, Number(count)]))
}

export function* removeOldEventCounts(time: number): Transaction<void> {
  const oldest = Math.floor(time / MINUTE_MS) - KEPT_MINUTES
  yield* query('delete from event_counts where minute > ? and minute < ?', TOTAL, oldest)
}

export function* removeEventCounts(account: string): Transaction<void> {
  yield* query('delete from event_counts where account = ?', account)
}
