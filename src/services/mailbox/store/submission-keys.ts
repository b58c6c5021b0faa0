import { query, type Transaction } from '../../../kernel/database/transaction.ts'

/** How long a value of `Idempotency-Key` is remembered. */
const KEPT_MS = 48 * 60 * 60_000

export interface KeyRecord {
  /** Hash of the request. */
  readonly request: string
  /** JSON. */
  readonly response: string
}

export interface SubmissionKey {
  readonly account: string
  /** Hash of the value of the header. */
  readonly key: string
}

export function* findKey(
  { account, key }: SubmissionKey,
  time: number
): Transaction<KeyRecord | undefined> {
  const [row] = yield* query<KeyRecord>(
    `select request, response from submission_keys
     where account = ? and key = ? and created_at >= ?`,
    ...[account, key, time - KEPT_MS]
  )
  return row
}

/** Resolves to the record of an earlier request with the key, and then stores nothing. */
export function* claimKey(
  { account, key }: SubmissionKey,
  { request, response }: KeyRecord,
  time: number
): Transaction<KeyRecord | undefined> {
  yield* query(
    'delete from submission_keys where account = ? and key = ? and created_at < ?',
    ...[account, key, time - KEPT_MS]
  )
  const added = yield* query(
    `insert into submission_keys (account, key, request, response, created_at)
     values (?, ?, ?, ?, ?) on conflict (account, key) do nothing returning key`,
    ...[account, key, request, response, time]
  )
  return added.length > 0 ? undefined : yield* findKey({ account, key }, time)
}

export function* removeOldKeys(time: number): Transaction<void> {
  yield* query('delete from submission_keys where created_at < ?', time - KEPT_MS)
}
