import { insertRows } from '../../../kernel/database/insert-rows.ts'
import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import { accountAdded } from '../events/account-events.ts'
import { recordEvents } from '../events/record-events.ts'
import type { SandboxAccount } from '../sandbox/mail-store.ts'
import { addMailAccount } from './mail-accounts.ts'
import { insertMailboxes } from './new-mailboxes.ts'
import { ACCOUNT_COLUMNS, type AccountRow, accountOf } from './rows.ts'
import { notifyWatchers } from './topics.ts'

/** Of each new account; all are subscribed. */
const FIRST_MAILBOXES = [
  { name: 'INBOX' },
  { name: 'Drafts', specialUse: '\\Drafts' },
  { name: 'Sent', specialUse: '\\Sent' },
  { name: 'Junk', specialUse: '\\Junk' },
  { name: 'Trash', specialUse: '\\Trash' },
  { name: 'Archive', specialUse: '\\Archive' }
]

/** `password` is sealed. False if the id or the address is taken, also by an account elsewhere. */
export function* addAccount(
  { id, address, name, createdAt, password }: SandboxAccount & { password: string },
  now: number
): Transaction<boolean> {
  const added = yield* query(
    `insert into sandbox_accounts (id, address, name, password, created_at, messages, bytes)
     values (?, ?, ?, ?, ?, 0, 0) on conflict do nothing returning id`,
    ...[id, address.toLowerCase(), name, password, createdAt]
  )
  if (added.length === 0) return false
  const isNew = yield* addMailAccount(
    { id, name, email: address.toLowerCase(), isSandbox: true, settings: {}, egress: 'any' },
    null,
    'init',
    now
  )
  if (!isNew) {
    yield* query('delete from sandbox_accounts where id = ?', id)
    return false
  }
  yield* insertMailboxes(id, FIRST_MAILBOXES, now)
  yield* insertRows(
    'sandbox_subscriptions',
    FIRST_MAILBOXES.map((mailbox) => ({ account: id, name: mailbox.name }))
  )
  yield* notifyWatchers(id)
  yield* recordEvents([accountAdded(id)], now)
  return true
}

/** By its id or its address. */
export function* findAccount(idOrAddress: string): Transaction<SandboxAccount | undefined> {
  // PostgreSQL has no text with NUL.
  if (idOrAddress.includes('\0')) return undefined
  const [row] = yield* query<AccountRow>(
    `select ${ACCOUNT_COLUMNS} from sandbox_accounts where id = ? or address = ?`,
    ...[idOrAddress, idOrAddress.toLowerCase()]
  )
  return row && accountOf(row)
}

/** As it is sealed. */
export function* readPassword(id: string): Transaction<string | undefined> {
  if (id.includes('\0')) return undefined
  const [row] = yield* query<{ password: string }>(
    'select password from sandbox_accounts where id = ?',
    id
  )
  return row?.password
}

/** In the order of their ids. */
export function* listAccounts(
  limit: number,
  after: string
): Transaction<readonly SandboxAccount[]> {
  if (after.includes('\0')) return []
  const rows = yield* query<AccountRow>(
    `select ${ACCOUNT_COLUMNS} from sandbox_accounts where id > ? order by id limit ?`,
    ...[after, limit]
  )
  return rows.map(accountOf)
}

export function* countAccounts(): Transaction<number> {
  const [row] = yield* query<{ count: number }>('select count(*) as count from sandbox_accounts')
  return row?.count ?? 0
}
