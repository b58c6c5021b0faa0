import { insertRow, query, type Transaction } from '../../../kernel/database/transaction.ts'
import { foldName } from '../records/user-name.ts'
import { removeSample } from './remove-sample.ts'

export interface NewAccount {
  userName: string
  name: string
  bio: string
}

/** `isVisible` tells whether clients see a difference. */
export type AddedAccount = { id: string; isVisible: boolean } | 'taken'

/** An account that was made here instead of being imported; the sample account is removed. */
export function* addAccount(
  id: string,
  { userName, name, bio }: NewAccount,
  time: string
): Transaction<AddedAccount> {
  const folded = foldName(userName)
  if (yield* isTaken(folded)) return 'taken'
  const isVisible = yield* removeSample(time)
  yield* insertRow('accounts', {
    id,
    user_name: userName,
    folded_name: folded,
    name,
    bio,
    website: null,
    location: null,
    avatar: null,
    header: null,
    created_at: time,
    source: 'local',
    imported_at: time
  })
  return { id, isVisible }
}

/** The sample account is removed, unless the owner has written posts there. */
function* isTaken(folded: string): Transaction<boolean> {
  const rows = yield* query(
    `select 1 as found from accounts a where a.folded_name = ? and (a.source <> 'sample' or exists (
       select 1 from posts p where p.account = a.id and p.source <> 'sample'))`,
    folded
  )
  return rows.length > 0
}
