/** Rows of accounts on mail servers; the accounts of the sandbox itself are in `accounts.ts`. */
import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import type { Account, AccountState, Egress, NewAccount } from '../accounts/account.ts'
import { notifyState } from './state-topics.ts'
import { notifyWatching } from './wanted-events.ts'

export interface MailAccountRow {
  id: string
  name: string
  email: string | null
  is_sandbox: number
  settings: string
  secrets: string | null
  state: AccountState
  state_at: number
  last_error: string | null
  smtp_status: string | null
  egress: Egress
  revision: number
  created_at: number
  sync_time: number | null
}

/** A state that was stored before `startedAt`, by a process that has ended, is that of a new account. */
export function mailAccountOf(row: MailAccountRow, startedAt: number): Account {
  const isKnown = row.state === 'unset' || row.state_at >= startedAt
  return {
    id: row.id,
    name: row.name,
    email: row.email ?? undefined,
    isSandbox: row.is_sandbox === 1,
    settings: JSON.parse(row.settings),
    state: isKnown ? row.state : 'init',
    lastError: row.last_error === null ? undefined : JSON.parse(row.last_error),
    smtpStatus: row.smtp_status === null ? undefined : JSON.parse(row.smtp_status),
    egress: row.egress,
    revision: row.revision,
    createdAt: row.created_at,
    syncTime: row.sync_time ?? undefined
  }
}

/** The state as `mailAccountOf` tells it; `startedAt` is bound once. */
export const STATE_SQL = "case when state = 'unset' or state_at >= ? then state else 'init' end"

export function* findMailAccount(id: string): Transaction<MailAccountRow | undefined> {
  if (id.includes('\0')) return undefined
  const [row] = yield* query<MailAccountRow>('select * from accounts where id = ?', id)
  return row
}

/** By the id, or else by the email address; two at most. */
export function* findMailAccountIds(idOrEmail: string): Transaction<readonly string[]> {
  if (idOrEmail.includes('\0')) return []
  const [row] = yield* query<{ id: string }>('select id from accounts where id = ?', idOrEmail)
  if (row !== undefined) return [row.id]
  const rows = yield* query<{ id: string }>(
    'select id from accounts where lower(email) = ? order by id limit 2',
    idOrEmail.toLowerCase()
  )
  return rows.map(({ id }) => id)
}

export function* countMailAccounts(): Transaction<number> {
  const [row] = yield* query<{ count: number }>('select count(*) as count from accounts')
  return row?.count ?? 0
}

export function* countStates(
  startedAt: number
): Transaction<readonly { state: AccountState; count: number }[]> {
  return yield* query(
    `select state, count(*) as count from (select ${STATE_SQL} as state from accounts) states
     group by state`,
    startedAt
  )
}

/** False if there is such an account. `secrets` is sealed; the time is also the first revision. */
export function* addMailAccount(
  { id, name, email, isSandbox, settings, egress }: NewAccount,
  secrets: string | null,
  state: AccountState,
  time: number
): Transaction<boolean> {
  const added = yield* query(
    `insert into accounts
       (id, name, email, is_sandbox, settings, secrets, search, state, state_at, egress, revision,
        created_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (id) do nothing returning id`,
    ...[id, name, email ?? null, isSandbox ? 1 : 0, JSON.stringify(settings), secrets],
    ...[searchText(id, name, email), state, time, egress, time, time]
  )
  yield* notifyWatching()
  return added.length > 0
}

/** Leaves the state and the revision as they are. */
export function* changeMailAccount(
  { id, name, email, isSandbox, settings, egress }: NewAccount,
  secrets: string | null
): Transaction<void> {
  yield* query(
    `update accounts set name = ?, email = ?, settings = ?, secrets = ?, search = ?, egress = ?
     where id = ?`,
    ...[name, email ?? null, JSON.stringify(settings), secrets, searchText(id, name, email)],
    ...[egress, id]
  )
  if (isSandbox) yield* query('update sandbox_accounts set name = ? where id = ?', name, id)
}

/** Makes other processes close their connections; a new state removes the last error. */
export function* nextRevision(
  id: string,
  state: AccountState | undefined,
  time: number
): Transaction<void> {
  yield* query('update accounts set revision = revision + 1 where id = ?', id)
  yield* notifyWatching()
  if (state !== undefined) yield* setState(id, state, { error: null, time })
}

export interface StateChange {
  readonly error: string | null
  readonly time: number
  /** If set, nothing is changed unless the account still has this revision. */
  readonly revision?: number | undefined
}

/** Readers of states are notified if it changes. */
export function* setState(
  id: string,
  state: AccountState,
  { error, time, revision }: StateChange
): Transaction<void> {
  const [before] = yield* query<{ state: AccountState }>(
    'select state from accounts where id = ?',
    id
  )
  const changed = yield* query(
    `update accounts set state = ?, state_at = ?, last_error = ?,
       sync_time = case when ? = 'connected' then ? else sync_time end
     where id = ?${revision === undefined ? '' : ' and revision = ?'} returning id`,
    ...[state, time, error, state, time, id],
    ...(revision === undefined ? [] : [revision])
  )
  if (changed.length === 0 || before?.state === state) return
  const told = error === null ? undefined : JSON.parse(error)
  yield* notifyState({ account: id, state, error: told }, time)
}

function searchText(id: string, name: string, email = ''): string {
  return `${id} ${name} ${email}`.toLowerCase()
}
