import { query, type Transaction } from '../../../kernel/database/transaction.ts'

export interface MonthDelta {
  /** Such as `2026-11`. */
  month: string
  posts: number
}

/** Changes the numbers of public posts; months without posts have no row. */
export function* addToMonths(account: string, deltas: readonly MonthDelta[]): Transaction<void> {
  const sums = new Map<string, number>()
  for (const { month, posts } of deltas) sums.set(month, (sums.get(month) ?? 0) + posts)
  for (const [month, posts] of sums) {
    if (posts === 0) continue
    yield* query(
      `insert into months (account, month, posts) values (?, ?, ?)
       on conflict (account, month) do update set posts = months.posts + excluded.posts`,
      ...[account, month, posts]
    )
    if (posts < 0) {
      yield* query(
        'delete from months where account = ? and month = ? and posts = 0',
        account,
        month
      )
    }
  }
}
