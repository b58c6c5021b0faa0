import { placeholders } from '../../../kernel/database/groups.ts'
import {
  insertRow,
  query,
  type SqlValue,
  type Transaction
} from '../../../kernel/database/transaction.ts'
import { addReferences, releaseReferences } from '../../../kernel/files/table.ts'
import type {
  NewSubmission,
  Submission,
  SubmissionProgress,
  SubmissionState
} from '../submit/submission.ts'

interface SubmissionRow {
  id: string
  account: string
  message_id: string
  subject: string
  envelope: string
  options: string
  progress: string
  idempotency_key: string | null
  hash: string | null
  size: number
  state: SubmissionState
  attempts: number
  max_attempts: number
  run: number
  created_at: number
  send_at: number
  next_attempt_at: number | null
}

function submissionOf(row: SubmissionRow): Submission {
  return {
    id: row.id,
    account: row.account,
    messageId: row.message_id,
    subject: row.subject,
    envelope: JSON.parse(row.envelope),
    options: JSON.parse(row.options),
    progress: JSON.parse(row.progress),
    idempotencyKey: row.idempotency_key ?? undefined,
    hash: row.hash ?? undefined,
    size: row.size,
    state: row.state,
    attempts: row.attempts,
    maxAttempts: row.max_attempts,
    run: row.run,
    createdAt: row.created_at,
    sendAt: row.send_at,
    nextAttemptAt: row.next_attempt_at ?? undefined
  }
}

/** With a reference to its file. */
export function* insertSubmission(added: NewSubmission, time: number): Transaction<void> {
  const { hash, size } = added
  yield* addReferences([{ hash, size }])
  yield* insertRow('submissions', {
    id: added.id,
    account: added.account,
    message_id: added.messageId,
    subject: added.subject,
    envelope: JSON.stringify(added.envelope),
    options: JSON.stringify(added.options),
    progress: '{}',
    source: 'api',
    idempotency_key: added.idempotencyKey ?? null,
    hash,
    size,
    state: 'queued',
    attempts: 0,
    max_attempts: added.maxAttempts,
    run: 0,
    created_at: time,
    send_at: added.sendAt,
    next_attempt_at: added.sendAt
  })
}

/** Of an account, those that have not ended, at most `limit`. */
export function* countWaiting(account: string, limit: number): Transaction<number> {
  const [row] = yield* query<{ count: number }>(
    `select count(*) as count from (select 1 as found from submissions
       where account = ? and ended_at is null limit ?) as waiting`,
    ...[account, limit]
  )
  return row?.count ?? 0
}

export function* findSubmission(id: string): Transaction<Submission | undefined> {
  const [row] = yield* query<SubmissionRow>('select * from submissions where id = ?', id)
  return row && submissionOf(row)
}

/** Delayed messages first, then due ones, those that are being sent, and failed ones. */
const ORDER = `case when state = 'queued' and next_attempt_at > ? then 0 when state = 'queued' then 1
  when state = 'failed' then 3 else 2 end, id`

/** Accounts are ids; all if undefined. Messages that were sent are not among them. */
export function* listSubmissions(
  accounts: readonly string[] | undefined,
  { limit, offset, time }: { readonly limit: number; readonly offset: number; time: number }
): Transaction<{ total: number; submissions: readonly Submission[] }> {
  if (accounts?.length === 0) return { total: 0, submissions: [] }
  const own = accounts && ` and account in (${placeholders(accounts.length)})`
  const condition = `state <> 'submitted'${own ?? ''}`
  const args: readonly SqlValue[] = accounts ?? []
  const [counted] = yield* query<{ count: number }>(
    `select count(*) as count from submissions where ${condition}`,
    ...args
  )
  const rows = yield* query<SubmissionRow>(
    `select * from submissions where ${condition} order by ${ORDER} limit ? offset ?`,
    ...[...args, time, limit, offset]
  )
  return { total: counted?.count ?? 0, submissions: rows.map(submissionOf) }
}

/** Numbers of messages for the state of the queue. */
export function* countQueue(
  time: number
): Transaction<{ active: number; delayed: number; waiting: number }> {
  const [row] = yield* query<{ active: number; delayed: number; waiting: number }>(
    `select coalesce(sum(case when state <> 'queued' then 1 else 0 end), 0) as active,
       coalesce(sum(case when state = 'queued' and next_attempt_at > ? then 1 else 0 end), 0) as delayed,
       coalesce(sum(case when state = 'queued' and next_attempt_at <= ? then 1 else 0 end), 0) as waiting
     from submissions where state in ('queued', 'sending', 'ending', 'sent')`,
    ...[time, time]
  )
  const { active = 0, delayed = 0, waiting = 0 } = row ?? {}
  return { active: Number(active), delayed: Number(delayed), waiting: Number(waiting) }
}

/** Undefined if the message was removed, was sent or has failed. */
export function* beginAttempt(id: string): Transaction<Submission | undefined> {
  const [row] = yield* query<SubmissionRow>(
    `update submissions set state = 'sending', run = run + 1
     where id = ? and state in ('queued', 'sending', 'ending') returning *`,
    id
  )
  return row && submissionOf(row)
}

/** An attempt of a submission; it changes nothing after a later one has begun. */
export type Attempt = Pick<Submission, 'id' | 'run'>

/** False if the message was removed, or another attempt has begun: then it must not be sent. */
export function* markEnding({ id, run }: Attempt): Transaction<boolean> {
  const rows = yield* query(
    `update submissions set state = 'ending' where id = ? and run = ? and state = 'sending'
     returning id`,
    ...[id, run]
  )
  return rows.length > 0
}

/** False if another attempt has begun meanwhile. */
export function* markSent(
  { id, run }: Attempt,
  progress: SubmissionProgress
): Transaction<boolean> {
  const rows = yield* query(
    `update submissions set state = 'sent', attempts = attempts + 1, progress = ?,
       next_attempt_at = null
     where id = ? and run = ? and state = 'ending' returning id`,
    ...[JSON.stringify(progress), id, run]
  )
  return rows.length > 0
}

/** What follows after a message was sent begins anew; undefined if it was not sent. */
export function* beginCopy(id: string): Transaction<Submission | undefined> {
  const [row] = yield* query<SubmissionRow>(
    `update submissions set run = run + 1 where id = ? and state = 'sent' returning *`,
    id
  )
  return row && submissionOf(row)
}

export function* postponeCopy(
  { id, run }: Attempt,
  progress: SubmissionProgress,
  nextAttemptAt: number
): Transaction<boolean> {
  const rows = yield* query(
    `update submissions set progress = ?, next_attempt_at = ?
     where id = ? and run = ? and state = 'sent' returning id`,
    ...[JSON.stringify(progress), nextAttemptAt, id, run]
  )
  return rows.length > 0
}

export function* postpone(
  { id, run }: Attempt,
  progress: SubmissionProgress,
  nextAttemptAt: number
): Transaction<boolean> {
  const rows = yield* query(
    `update submissions set state = 'queued', attempts = attempts + 1, progress = ?,
       next_attempt_at = ?
     where id = ? and run = ? and state in ('sending', 'ending') returning id`,
    ...[JSON.stringify(progress), nextAttemptAt, id, run]
  )
  return rows.length > 0
}

/** The file of the message is no longer needed. False if the message was removed before. */
export function* endSubmission(
  { id, run }: Attempt,
  end: {
    readonly state: 'submitted' | 'failed'
    readonly progress: SubmissionProgress
    readonly time: number
  }
): Transaction<boolean> {
  const before = yield* findSubmission(id)
  if (before?.run !== run || before.hash === undefined) return false
  const isAttempt = end.state === 'failed'
  yield* query(
    `update submissions set state = ?, progress = ?, ended_at = ?, next_attempt_at = null,
       hash = null, attempts = attempts + ?
     where id = ? and run = ?`,
    ...[end.state, JSON.stringify(end.progress), end.time, isAttempt ? 1 : 0, id, run]
  )
  yield* releaseReferences([before.hash])
  return true
}

/** False if there is no such message, or if the server may have received it. */
export function* removeSubmission(id: string): Transaction<boolean> {
  const rows = yield* query<{ hash: string | null }>(
    `delete from submissions where id = ? and state not in ('ending', 'sent') returning hash`,
    id
  )
  yield* releaseReferences(rows.flatMap(({ hash }) => hash ?? []))
  return rows.length > 0
}

/** All of an account, whatever their state; their ids. */
export function* removeSubmissions(account: string): Transaction<readonly string[]> {
  const rows = yield* query<{ id: string; hash: string | null }>(
    'delete from submissions where account = ? returning id, hash',
    account
  )
  yield* releaseReferences(rows.flatMap(({ hash }) => hash ?? []))
  yield* query('delete from submission_keys where account = ?', account)
  return rows.map(({ id }) => id)
}

/** Removes messages that ended in a state before a time, but for the newest `keep`. */
export function* removeEndedSubmissions(
  state: 'submitted' | 'failed',
  before: number,
  keep: number
): Transaction<void> {
  yield* query(
    `delete from submissions where state = ? and ended_at < ? and id not in (
       select id from submissions where state = ? order by ended_at desc limit ?)`,
    ...[state, before, state, keep]
  )
}
