import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import { hasReceiver } from '../events/webhook-rules.ts'
import { readWebhookRules } from './events.ts'
import { notifyWatching, readAllWanted } from './wanted-events.ts'

/** An account to be watched. */
export interface ListedAccount {
  id: string
  revision: number
  /** Unix milliseconds: when a comparison was last requested. */
  sync_at: number | null
}

/** Which accounts of the sandbox are watched, besides those whose events a client reads. */
interface SandboxRule {
  /** Whether events of all accounts are delivered or read. */
  readonly all: boolean
  /** Whether events of accounts with a receiver of their own are sent. */
  readonly withReceiver: boolean
}

/**
 * Accounts to be watched, by id: all with an IMAP server, those of the sandbox only while their
 * events are delivered or read.
 */
export function* listAccountsToWatch(
  after: string,
  limit: number,
  time: number
): Transaction<readonly ListedAccount[]> {
  const { all, withReceiver } = yield* readSandboxRule(time)
  return yield* query<ListedAccount>(
    `select accounts.id, accounts.revision, watched.sync_at
     from accounts left join watched_accounts watched on watched.account = accounts.id
     where accounts.id > ? and (
       (is_sandbox = 0 and state <> 'unset') or (is_sandbox = 1 and (
         ? = 1 or watched.wanted_until > ? or (? = 1 and settings like '%"webhooks":"_%'))))
     order by accounts.id limit ?`,
    ...[after, all ? 1 : 0, time, withReceiver ? 1 : 0, limit]
  )
}

function* readSandboxRule(time: number): Transaction<SandboxRule> {
  const rules = yield* readWebhookRules()
  const isRead = (yield* readAllWanted()) > time
  return { all: isRead || hasReceiver(rules, false), withReceiver: hasReceiver(rules, true) }
}

export interface WatchedAccountRow {
  account: string
  initialized_at: number | null
  wanted_until: number
  sync_at: number | null
  /** JSON of `WatchedDetails`. */
  details: string
}

export interface WatchedDetails {
  /** Unix milliseconds: when the index was dropped on request; until it is made again. */
  readonly flushedAt?: number
  /** Unix milliseconds: since when the events of the account are needed. */
  readonly wantedFrom?: number
  /** Whether the event `accountInitialized` was stored. */
  readonly isAnnounced?: boolean
}

export function* findWatchedAccount(account: string): Transaction<WatchedAccountRow | undefined> {
  const [row] = yield* query<WatchedAccountRow>(
    'select * from watched_accounts where account = ?',
    account
  )
  return row
}

export function detailsOf(row: WatchedAccountRow | undefined): WatchedDetails {
  return JSON.parse(row?.details ?? '{}')
}

/** All mailboxes were read. False if they had been read before; the account may be gone. */
export function* setInitialized(account: string, time: number): Transaction<boolean> {
  const row = yield* findWatchedAccount(account)
  const { flushedAt: _, ...rest } = detailsOf(row)
  const stored = yield* query(
    `insert into watched_accounts (account, initialized_at, wanted_until, details)
     select id, ?, 0, ? from accounts where id = ?
     on conflict (account) do update set initialized_at = excluded.initialized_at,
       details = excluded.details
     returning account`,
    ...[time, JSON.stringify({ ...rest, isAnnounced: true } satisfies WatchedDetails), account]
  )
  return stored.length > 0 && rest.isAnnounced !== true
}

export function* setWantedFrom(account: string, wantedFrom: number): Transaction<void> {
  const details = { ...detailsOf(yield* findWatchedAccount(account)), wantedFrom }
  yield* query(
    `insert into watched_accounts (account, initialized_at, wanted_until, details)
     select id, null, 0, ? from accounts where id = ?
     on conflict (account) do update set details = excluded.details`,
    ...[JSON.stringify(details), account]
  )
}

/** The process that watches the account then compares all its mailboxes. */
export function* requestSync(account: string, time: number): Transaction<void> {
  yield* query(
    `insert into watched_accounts (account, initialized_at, wanted_until, details, sync_at)
     select id, null, 0, '{}', ? from accounts where id = ?
     on conflict (account) do update set sync_at = excluded.sync_at`,
    ...[time, account]
  )
  yield* notifyWatching()
}

/** Forgets what is known about the mailboxes of an account, as of a new one. */
export function* dropIndex(account: string, time: number): Transaction<void> {
  const row = yield* findWatchedAccount(account)
  const details = detailsOf(row)
  yield* query('delete from watched_mailboxes where account = ?', account)
  yield* query('delete from moved_messages where account = ?', account)
  yield* query(
    `insert into watched_accounts (account, initialized_at, wanted_until, details)
     select id, null, 0, ? from accounts where id = ?
     on conflict (account) do update set initialized_at = null, details = excluded.details`,
    ...[JSON.stringify({ ...details, flushedAt: time } satisfies WatchedDetails), account]
  )
}
