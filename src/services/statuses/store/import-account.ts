import {
  insertRow,
  query,
  type SqlValue,
  type Transaction
} from '../../../kernel/database/transaction.ts'
import type {
  AccountFile,
  AccountRequest,
  AccountResponse,
  ImportedAccount
} from '../import/protocol.ts'
import { foldName } from '../records/user-name.ts'
import { bumpRevision } from './revision.ts'
import { type FileUse, releaseFiles, useFiles } from './uploads.ts'

/** Ids of accounts whose archive tells none, before their first name. */
const MADE_UP = 'name:'

/** `taken` is the id of another account that has the name. */
export type ImportedAccountResult = ImportedAccountResponse | { taken: string }

export interface ImportedAccountResponse {
  response: AccountResponse
  /** Whether clients see a difference, or would without `dryRun`. */
  isVisible: boolean
}

interface StoredAccount {
  id: string
  user_name: string
  folded_name: string
  avatar: string | null
  header: string | null
}

/** With `dryRun` nothing is stored. */
export function* importAccount(
  { account, newAccount, dryRun }: AccountRequest,
  time: string
): Transaction<ImportedAccountResult> {
  const folded = foldName(account.userName)
  const [named] = yield* query<StoredAccount>(
    'select id, user_name, folded_name, avatar, header from accounts where folded_name = ?',
    folded
  )
  const id = idOf(account, named, newAccount)
  const other = named?.id === id ? undefined : named
  if (other !== undefined && !newAccount) return { taken: other.id }
  const [stored] = yield* query<StoredAccount & Record<string, SqlValue>>(
    'select * from accounts where id = ?',
    id
  )
  const columns = columnsOf(account, stored)
  const names = yield* newNames(id, account, stored)
  const isChanged =
    stored === undefined ||
    other !== undefined ||
    names.length > 0 ||
    Object.entries(columns).some(([column, value]) => stored[column] !== value)
  const result = stored === undefined ? 'added' : isChanged ? 'updated' : 'unchanged'
  const isVisible = isChanged && (yield* hasPublicPosts(id, other?.id))
  if (dryRun || !isChanged) return { response: { id, result }, isVisible }
  if (other !== undefined) yield* renameAside(other, time)
  yield* changeFiles(account, stored)
  if (stored === undefined) yield* insertRow('accounts', { id, ...columns, imported_at: time })
  else {
    const changed = { ...columns, imported_at: time }
    const sets = Object.keys(changed).map((column) => `${column} = ?`)
    yield* query(
      `update accounts set ${sets.join(', ')} where id = ?`,
      ...Object.values(changed),
      id
    )
  }
  for (const { name, endedAt } of names) yield* writeName(name, id, endedAt ?? time)
  yield* query('delete from names where folded_name = ? and account = ?', folded, id)
  if (isVisible) yield* bumpRevision(time)
  return { response: { id, result }, isVisible }
}

/**
 * The account of the same name, if one of the two has no id of its own. Posts of a single file can
 * therefore be completed by the whole archive.
 */
function idOf(
  { id, userName }: ImportedAccount,
  named: StoredAccount | undefined,
  newAccount: boolean
): string {
  const isSame = named !== undefined && !newAccount && (id === undefined || isMadeUp(named.id))
  return isSame ? named.id : (id ?? MADE_UP + foldName(userName))
}

function isMadeUp(id: string): boolean {
  return id.startsWith(MADE_UP)
}

function* hasPublicPosts(id: string, other: string | undefined): Transaction<boolean> {
  const rows = yield* query(
    'select 1 as found from months where account in (?, ?) limit 1',
    ...[id, other ?? id]
  )
  return rows.length > 0
}

function columnsOf(
  account: ImportedAccount,
  stored: StoredAccount | undefined
): Record<string, SqlValue> {
  // A single file of posts tells only the name, which is that of the stored account.
  if (account.id === undefined && stored !== undefined) return {}
  return {
    user_name: account.userName,
    folded_name: foldName(account.userName),
    name: account.name,
    bio: account.bio,
    website: account.website ?? null,
    location: account.location ?? null,
    avatar: account.avatar?.file.hash ?? stored?.avatar ?? null,
    header: account.header?.file.hash ?? stored?.header ?? null,
    created_at: account.createdAt ?? null,
    source: account.source
  }
}

/** References of the new files instead of those of the files before. */
function* changeFiles(
  { avatar, header }: ImportedAccount,
  stored: StoredAccount | undefined
): Transaction<void> {
  const replaced: string[] = []
  const uses: FileUse[] = []
  function change(before: string | null | undefined, after: AccountFile | undefined): void {
    if (after === undefined || after.file.hash === before) return
    uses.push({ hash: after.file.hash, sourceKey: after.sourceKey })
    if (before !== null && before !== undefined) replaced.push(before)
  }
  change(stored?.avatar, avatar)
  change(stored?.header, header)
  yield* useFiles(uses)
  yield* releaseFiles(replaced)
}

interface FormerName {
  name: string
  endedAt: string | undefined
}

/** Former names that are not stored yet, that of the account until now included. */
function* newNames(
  id: string,
  { userName, formerNames }: ImportedAccount,
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

/** The account keeps its posts under a name that no other account has. */
function* renameAside({ id, user_name: userName }: StoredAccount, time: string): Transaction<void> {
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
