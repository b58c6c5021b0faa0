import { query, type Transaction } from '../../../kernel/database/transaction.ts'

/** The last error of deliveries to a receiver. */
export interface WebhookError {
  readonly message: string
  /** Name of the event. */
  readonly event: string
  readonly account: string
  /** ISO 8601. */
  readonly time: string
}

/** Of the receiver of the settings. */
export const SETTINGS_RECEIVER = ''
/** The same error is stored again after this time. */
const REPEAT_MS = 60_000

interface ErrorRow {
  error: string
  updated_at: number
}

export function* readWebhookError(receiver: string): Transaction<WebhookError | undefined> {
  const [row] = yield* query<ErrorRow>(
    'select error, updated_at from webhook_errors where account = ?',
    receiver
  )
  return row && JSON.parse(row.error)
}

/** Whether a new error is stored: not if many deliveries have the same one at a time. */
export function isNewError(stored: WebhookError | undefined, next: WebhookError): boolean {
  if (stored === undefined || stored.message !== next.message) return true
  return Date.parse(next.time) - Date.parse(stored.time) > REPEAT_MS
}

export function* storeWebhookError(
  receiver: string,
  error: WebhookError,
  time: number
): Transaction<void> {
  yield* query(
    `insert into webhook_errors (account, error, updated_at) values (?, ?, ?)
     on conflict (account) do update set error = excluded.error, updated_at = excluded.updated_at`,
    ...[receiver, JSON.stringify(error), time]
  )
}

export function* removeWebhookError(receiver: string): Transaction<void> {
  yield* query('delete from webhook_errors where account = ?', receiver)
}
