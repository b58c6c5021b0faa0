import { placeholders } from '../../../kernel/database/groups.ts'
import { query, type SqlValue, type Transaction } from '../../../kernel/database/transaction.ts'
import type { AccountFilter } from '../accounts/account.ts'
import { type MailAccountRow, STATE_SQL } from './mail-accounts.ts'

/** In the order of their ids. */
export function* listMailAccounts(
  filter: AccountFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
  startedAt: number
): Transaction<{ total: number; rows: readonly MailAccountRow[] }> {
  const [condition, args] = conditionOf(filter, startedAt)
  const [counted] = yield* query<{ count: number }>(
    `select count(*) as count from accounts where ${condition}`,
    ...args
  )
  const rows = yield* query<MailAccountRow>(
    `select * from accounts where ${condition} order by id limit ? offset ?`,
    ...[...args, limit, offset]
  )
  return { total: counted?.count ?? 0, rows }
}

function conditionOf(
  { state, query: text, ids }: AccountFilter,
  startedAt: number
): [string, SqlValue[]] {
  const conditions = ['1 = 1']
  const args: SqlValue[] = []
  if (state !== undefined) {
    conditions.push(`${STATE_SQL} = ?`)
    args.push(startedAt, state)
  }
  if (text !== undefined) {
    conditions.push("search like ? escape '\\'")
    args.push(`%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`)
  }
  if (ids !== undefined) {
    conditions.push(ids.length === 0 ? '1 = 0' : `id in (${placeholders(ids.length)})`)
    args.push(...ids)
  }
  return [conditions.join(' and '), args]
}
