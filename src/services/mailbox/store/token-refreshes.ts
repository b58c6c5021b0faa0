import { query, type Transaction } from '../../../kernel/database/transaction.ts'

/** False while another holder refreshes the token of the account. */
export function* claimRefresh(
  account: string,
  holder: string,
  { now, until }: { readonly now: number; readonly until: number }
): Transaction<boolean> {
  yield* query('delete from token_refreshes where until <= ?', now)
  const rows = yield* query(
    `insert into token_refreshes (account, holder, until) values (?, ?, ?)
     on conflict (account) do nothing returning account`,
    ...[account, holder, until]
  )
  return rows.length > 0
}

export function* releaseRefresh(account: string, holder: string): Transaction<void> {
  yield* query('delete from token_refreshes where account = ? and holder = ?', account, holder)
}
