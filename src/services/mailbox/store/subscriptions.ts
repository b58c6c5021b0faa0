import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import { MAX_MAILBOXES, MailboxLimitReached } from '../sandbox/mail-store.ts'
import { isStorable, normaliseName } from './mailbox-names.ts'
import { notifyWatchers } from './topics.ts'

/** In their order. */
export function* listSubscriptions(account: string): Transaction<readonly string[]> {
  const rows = yield* query<{ name: string }>(
    'select name from sandbox_subscriptions where account = ? order by name',
    account
  )
  return rows.map(({ name }) => name)
}

// Without an account nothing is added.
const SUBSCRIBE = `
  insert into sandbox_subscriptions (account, name)
  select a.id, cast(? as text) from sandbox_accounts a where a.id = ?
  on conflict (account, name) do nothing returning name`
const UNSUBSCRIBE =
  'delete from sandbox_subscriptions where account = ? and name = ? returning name'

export function* subscribe(
  account: string,
  name: string,
  isSubscribed: boolean
): Transaction<void> {
  if (!isStorable(name)) return
  const own = normaliseName(name)
  const changed = isSubscribed
    ? yield* query(SUBSCRIBE, own, account)
    : yield* query(UNSUBSCRIBE, account, own)
  if (changed.length === 0) return
  if (isSubscribed) yield* requireSpace(account)
  yield* notifyWatchers(account)
}

function* requireSpace(account: string): Transaction<void> {
  const [row] = yield* query<{ count: number }>(
    'select count(*) as count from sandbox_subscriptions where account = ?',
    account
  )
  if ((row?.count ?? 0) > MAX_MAILBOXES) throw new MailboxLimitReached()
}
