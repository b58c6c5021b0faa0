import {
  insertRow,
  query,
  type SqlValue,
  type Transaction
} from '../../../kernel/database/transaction.ts'
import type { AccountRequest, ImportedAccount } from '../import/protocol.ts'
import { foldName } from '../records/user-name.ts'
import { bumpRevision } from './revision.ts'

export type AccountResult = 'added' | 'updated' | 'unchanged'

export type ImportedAccountResult =
  | { kind: AccountResult }
  /** Another account has the name. */
  | { kind: 'taken'; by: string }

interface StoredAccount {
  user_name: string
  folded_name: string
}

/** With `dryRun` nothing is stored. */
export function* importAccount(
  { account, newAccount, dryRun }: AccountRequest,
  time: string
): Transaction<ImportedAccountResult> {
  const folded = foldName(account.userName)
  const [other] = yield* query<{ id: string; user_name: string }>(
    'select id, user_name from accounts where folded_name = ? and id <> ?',
    ...[folded, account.id]
  )
  if (other !== undefined && !newAccount) return { kind: 'taken', by: other.id }
  const [stored] = yield* query<StoredAccount & Record<string, SqlValue>>(
    'select * from accounts where id = ?',
    account.id
  )
  const columns = columnsOf(account)
  const names = yield* newNames(account, stored)
  const isChanged =
    stored === undefined ||
    other !== undefined ||
    names.length > 0 ||
    Object.entries(columns).some(([column, value]) => stored[column] !== value)
  const kind = stored === undefined ? 'added' : isChanged ? 'updated' : 'unchanged'
  if (dryRun || !isChanged) return { kind }
  if (other !== undefined) yield* takeName(other, time)
  if (stored === undefined) {
    yield* insertRow('accounts', { id: account.id, ...columns, imported_at: time })
  } else {
    const sets = Object.keys(columns).map((column) => `${column} = ?`)
    const args = [...Object.values(columns), time, account.id]
    yield* query(`update accounts set ${sets.join(', ')}, imported_at = ? where id = ?`, ...args)
  }
  for (const { name, endedAt } of names) yield* writeName(name, account.id, endedAt ?? time)
  yield* query('delete from names where folded_name = ? and account = ?', folded, account.id)
  yield* bumpRevision()
  return { kind }
}

function columnsOf(account: ImportedAccount): Record<string, SqlValue> {
  return {
    user_name: account.userName,
    folded_name: foldName(account.userName),
    name: account.name,
    bio: account.bio,
    website: account.website ?? null,
    location: account.location ?? null,
    avatar: account.avatarHash ?? null,
    header: account.headerHash ?? null,
    created_at: account.createdAt ?? null,
    source: account.source
  }
}

interface FormerName {
  name: string
  endedAt: string | undefined
}

/** Former names that are not stored yet, that of the account until now included. */
function* newNames(
  { id, userName, formerNames }: ImportedAccount,
  stored: StoredAccount | undefined
): Transaction<FormerName[]> {
  const rows = yield* query<{ folded_name: string }>(
    'select folded_name from names where account = ?',
    id
  )
  const known = new Set([...rows.map((row) => row.folded_name), foldName(userName)])
  const names = new Map<string, string | undefined>()
  if (stored !== undefined) names.set(stored.folded_name, undefined)
  for (const one of formerNames) names.set(foldName(one.userName), one.endedAt)
  return [...names]
    .filter(([name]) => !known.has(name))
    .map(([name, endedAt]) => ({ name, endedAt }))
}

/** The account keeps its posts under a name that no one else has. */
function* takeName(
  { id, user_name: userName }: { id: string; user_name: string },
  time: string
): Transaction<void> {
  const replacement = `${userName}_${id.replace(/\W+/g, '_')}`
  yield* query(
    'update accounts set user_name = ?, folded_name = ? where id = ?',
    ...[replacement, foldName(replacement), id]
  )
  yield* writeName(foldName(userName), id, time)
}

function* writeName(name: string, account: string, endedAt: string): Transaction<void> {
  yield* query(
    `insert into names (folded_name, account, ended_at) values (?, ?, ?)
     on conflict (folded_name, account) do update set ended_at = excluded.ended_at`,
    ...[name, account, endedAt]
  )
}
