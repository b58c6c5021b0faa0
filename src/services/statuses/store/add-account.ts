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
  const [named] = yield* query<{ source: string }>(
    'select source from accounts where folded_name = ?',
    folded
  )
  if (named !== undefined && named.source !== 'sample') return 'taken'
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
