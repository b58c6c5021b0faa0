import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import { foldName } from '../records/user-name.ts'

/** By the current name, whether the account has public posts or not. */
export function* readAccountId(userName: string): Transaction<string | undefined> {
  const [row] = yield* query<{ id: string }>(
    'select id from accounts where folded_name = ?',
    foldName(userName)
  )
  return row?.id
}

/** In the order of their names; accounts without public posts too, the sample only if it is alone. */
export function* listUserNames(
  limit: number
): Transaction<readonly { id: string; userName: string }[]> {
  return yield* query<{ id: string; userName: string }>(
    `select id, user_name as "userName" from accounts
     where source <> 'sample' or not exists (select 1 from accounts where source <> 'sample')
     order by folded_name limit ?`,
    limit
  )
}
