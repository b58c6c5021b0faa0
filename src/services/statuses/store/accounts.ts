import { fullGroupsOf, placeholders } from '../../../kernel/database/groups.ts'
import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import type { Account } from '../records/record.ts'
import { foldName } from '../records/user-name.ts'
import { ACCOUNT_COLUMNS, type AccountRow, accountOf } from './rows.ts'

/** By the current name, whether the account has public posts or not. */
export function* readAccountId(userName: string): Transaction<string | undefined> {
  const [row] = yield* query<{ id: string }>(
    'select id from accounts where folded_name = ?',
    foldName(userName)
  )
  return row?.id
}

/** Ids per statement. */
const GROUP = 50

/** Current names by id. */
export function* readUserNames(ids: readonly string[]): Transaction<Map<string, string>> {
  const names = new Map<string, string>()
  for (const group of fullGroupsOf(ids, GROUP)) {
    const rows = yield* query<{ id: string; user_name: string }>(
      `select id, user_name from accounts where id in (${placeholders(GROUP)})`,
      ...group
    )
    for (const row of rows) names.set(row.id, row.user_name)
  }
  return names
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

/** Accounts that an author may write as: all but the sample, in the order of their names. */
export function* listWriters(limit: number): Transaction<readonly Account[]> {
  const rows = yield* query<AccountRow>(
    `select ${ACCOUNT_COLUMNS} from accounts a where a.source <> 'sample'
     order by a.folded_name limit ?`,
    limit
  )
  return rows.map(accountOf)
}

/** By its id or its current name. */
export function* readWriter(
  by: { id: string } | { userName: string }
): Transaction<Account | undefined> {
  const [column, value] = 'id' in by ? ['id', by.id] : ['folded_name', foldName(by.userName)]
  // PostgreSQL has no text with NUL.
  if (value.includes('\0')) return undefined
  const [row] = yield* query<AccountRow>(
    `select ${ACCOUNT_COLUMNS} from accounts a where a.${column} = ? and a.source <> 'sample'`,
    value
  )
  return row && accountOf(row)
}
