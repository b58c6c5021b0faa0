/** Rows of the event log. */
import { fullGroupsOf, groupsOf, placeholders } from '../../../kernel/database/groups.ts'
import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import { RULE_SETTINGS, type WebhookRules, webhookRulesOf } from '../events/webhook-rules.ts'
import type { SettingRow } from './settings.ts'

/** Rows of one statement; few sizes mean few prepared statements. */
const GROUP_SIZES = [16, 4, 1]
/** Ids of one query. */
const READ_AT_ONCE = 20

export interface EventRow {
  number: number
  id: string
  account: string
  name: string
  path: string | null
  /** JSON, as it is sent. */
  body: string
  job: string | null
  created_at: number
}

export type NewEventRow = Omit<EventRow, 'number'> & {
  message_key: string | null
  receiver: string | null
}

export function* readWebhookRules(): Transaction<WebhookRules> {
  const rows = yield* query<SettingRow>(
    `select name, value, secret from settings where name in (${placeholders(RULE_SETTINGS.length)})`,
    ...RULE_SETTINGS
  )
  return webhookRulesOf(rows)
}

/** What events need to know about an account; `settings` is JSON. */
export interface EventAccountRow {
  id: string
  settings: string
  created_at: number
}

export function* readEventAccounts(
  ids: readonly string[]
): Transaction<ReadonlyMap<string, EventAccountRow>> {
  const accounts = new Map<string, EventAccountRow>()
  for (const group of groupsOf([...new Set(ids)], GROUP_SIZES)) {
    const rows = yield* query<EventAccountRow>(
      `select id, settings, created_at from accounts where id in (${placeholders(group.length)})`,
      ...group
    )
    for (const row of rows) accounts.set(row.id, row)
  }
  return accounts
}

/** Ids of those that were not stored before. */
export function* insertEvents(rows: readonly NewEventRow[]): Transaction<ReadonlySet<string>> {
  const added = new Set<string>()
  for (const group of groupsOf(rows, GROUP_SIZES)) {
    const inserted = yield* query<{ id: string }>(
      `insert into events
         (id, account, name, path, body, size, message_key, job, receiver, created_at)
       values ${placeholders(group.length, '(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')}
       on conflict (id) do nothing returning id`,
      ...group.flatMap((row) => [
        ...[row.id, row.account, row.name, row.path, row.body, Buffer.byteLength(row.body)],
        ...[row.message_key, row.job, row.receiver, row.created_at]
      ])
    )
    for (const { id } of inserted) added.add(id)
  }
  return added
}

/** Of an account, but for one event. */
export function* removeEventsBut(account: string, id: string): Transaction<void> {
  yield* query('delete from events where account = ? and id <> ?', account, id)
}

/** What is known about a mailbox and about messages with these keys that arrived before. */
export function* readMessageHistory(
  account: string,
  path: string,
  keys: readonly string[]
): Transaction<{ comparedAt: number | undefined; keys: ReadonlySet<string> }> {
  const [mailbox] = yield* query<{ compared_at: number }>(
    'select compared_at from watched_mailboxes where account = ? and path = ?',
    ...[account, path]
  )
  const found = new Set<string>()
  for (const group of fullGroupsOf(keys, READ_AT_ONCE)) {
    const rows = yield* query<{ message_key: string }>(
      `select distinct message_key from events
       where account = ? and message_key in (${placeholders(group.length)})`,
      ...[account, ...group]
    )
    for (const { message_key } of rows) found.add(message_key)
  }
  return { comparedAt: mailbox?.compared_at, keys: found }
}
