import { insertRow, query, type Transaction } from '../../../kernel/database/transaction.ts'
import { IdempotencyKeyReused } from '../contract.ts'
import type { OwnPost } from '../records/own-post.ts'

const KEPT_MS = 24 * 3_600_000
/** Of one account; the oldest ones beyond it are forgotten. */
const MAX_KEYS = 10_000
/** Removed by one statement. */
const TRIMMED = 1_000

/** A request that is to be carried out once. */
export interface Once {
  /** The value of `Idempotency-Key`. */
  key: string
  /** Equal for requests with the same content. */
  fingerprint: string
}

/** The post that an earlier request with this key created; throws if its content was another. */
export function* findCreated(
  account: string,
  { key, fingerprint }: Once,
  time: string
): Transaction<OwnPost | undefined> {
  const [row] = yield* query<{ fingerprint: string; record: string }>(
    'select fingerprint, record from post_keys where account = ? and name = ? and created_at > ?',
    ...[account, key, lastKept(time)]
  )
  if (row !== undefined && row.fingerprint !== fingerprint) throw new IdempotencyKeyReused()
  return row && JSON.parse(row.record)
}

/** To be part of the transaction that creates the post. */
export function* rememberCreated(
  { key, fingerprint }: Once,
  record: OwnPost,
  time: string
): Transaction<void> {
  const account = record.account.id
  yield* query(
    'delete from post_keys where account = ? and created_at <= ?',
    ...[account, lastKept(time)]
  )
  yield* query(
    `delete from post_keys where account = ? and name in (
       select name from post_keys where account = ? order by created_at desc limit ? offset ?)`,
    ...[account, account, TRIMMED, MAX_KEYS - 1]
  )
  yield* insertRow('post_keys', {
    ...{ account, name: key, fingerprint, post: record.id },
    record: JSON.stringify(record),
    created_at: time
  })
}

function lastKept(time: string): string {
  return new Date(Date.parse(time) - KEPT_MS).toISOString()
}
