import { groupsOf, placeholders } from '../../../kernel/database/groups.ts'
import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import {
  type ListedMailbox,
  MAX_MAILBOXES,
  type Mailbox,
  MailboxLimitReached
} from '../sandbox/mail-store.ts'
import { isStorable, normaliseName, parentsOf } from './mailbox-names.ts'
import { insertMailboxes } from './new-mailboxes.ts'
import { GROUP_SIZES, type MailboxRow, mailboxOf } from './rows.ts'
import { notifyWatchers } from './topics.ts'

interface ListedRow extends MailboxRow {
  is_subscribed: number
}

const LIST = `
  select b.*, case when s.name is null then 0 else 1 end as is_subscribed
  from sandbox_mailboxes b
  left join sandbox_subscriptions s on s.account = b.account and s.name = b.name
  where b.account = ? order by b.name`

/** In the order of their names. */
export function* listMailboxes(account: string): Transaction<readonly ListedMailbox[]> {
  const rows = yield* query<ListedRow>(LIST, account)
  const parents = new Set(rows.flatMap(({ name }) => parentsOf(name)))
  return rows.map((row) => ({
    ...mailboxOf(row),
    isSubscribed: row.is_subscribed === 1,
    hasChildren: parents.has(row.name)
  }))
}

export function* findMailbox(account: string, name: string): Transaction<MailboxRow | undefined> {
  if (!isStorable(name)) return undefined
  const [row] = yield* query<MailboxRow>(
    'select * from sandbox_mailboxes where account = ? and name = ?',
    ...[account, normaliseName(name)]
  )
  return row
}

/** With its missing parents; undefined if it exists, or if there is no such account. */
export function* createMailbox(
  account: string,
  name: string,
  specialUse: string | undefined,
  now: number
): Transaction<Mailbox | undefined> {
  const normalised = normaliseName(name)
  const missing = yield* missingNames(account, [...parentsOf(normalised), normalised])
  if (missing.at(-1) !== normalised || !(yield* hasAccount(account))) return undefined
  yield* requireSpace(account, missing.length)
  const added = missing.map((one) =>
    one === normalised ? { name: one, specialUse } : { name: one }
  )
  const rows = yield* insertMailboxes(account, added, now)
  yield* notifyWatchers(account)
  const row = rows.at(-1)
  return row && mailboxOf(row)
}

/** Those without a mailbox, in the same order. */
export function* missingNames(
  account: string,
  names: readonly string[]
): Transaction<readonly string[]> {
  const existing = new Set<string>()
  for (const group of groupsOf(names, GROUP_SIZES)) {
    const rows = yield* query<{ name: string }>(
      `select name from sandbox_mailboxes
       where account = ? and name in (${placeholders(group.length)})`,
      ...[account, ...group]
    )
    for (const row of rows) existing.add(row.name)
  }
  return names.filter((name) => !existing.has(name))
}

function* hasAccount(id: string): Transaction<boolean> {
  const rows = yield* query('select 1 as found from sandbox_accounts where id = ?', id)
  return rows.length > 0
}

export function* requireSpace(account: string, added: number): Transaction<void> {
  const [row] = yield* query<{ count: number }>(
    'select count(*) as count from sandbox_mailboxes where account = ?',
    account
  )
  if ((row?.count ?? 0) + added > MAX_MAILBOXES) throw new MailboxLimitReached()
}
