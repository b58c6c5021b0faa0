import { query, type Transaction } from '../../../../kernel/database/transaction.ts'
import { addJob } from '../../../../kernel/outbox/add-job.ts'
import { ANNOUNCE_JOB } from '../../jobs/kinds.ts'

/** Milliseconds without a change until it is told, and at most so many after the first one. */
const QUIET_MS = 2_000
const MAX_WAIT_MS = 10_000
/** A wait that is older ended without its job. */
const LOST_MS = 60_000

/**
 * The value of `boards.announce_since` after a change that the public sees: null if the board has no
 * active webhook for it, otherwise the time of the first change that no event has announced. Its
 * arguments are `announceArgs`.
 */
export const ANNOUNCE_SINCE = `case when exists (
    select 1 from webhooks w where w.board = boards.id and w.format = 'standard' and w.active = 1
  ) then case when announce_since > ? then announce_since else ? end end`

export function announceArgs(now: number): [lost: number, now: number] {
  return [now - LOST_MS, now]
}

/** After such a change; the first of several that follow each other adds the job. */
export function* addAnnouncement(
  board: string,
  since: number | null | undefined,
  now: number
): Transaction<void> {
  if (since === now) yield* addAnnounceJob(board, since, now + QUIET_MS, now)
}

function* addAnnounceJob(
  board: string,
  since: number,
  runAt: number,
  now: number
): Transaction<void> {
  const lane = `publication:${board}`
  const key = `${lane}:${since}:${runAt}`
  yield* addJob({ key, kind: ANNOUNCE_JOB, lane, payload: JSON.stringify({ board }), runAt }, now)
}

/** Whether it is time to tell; otherwise another job follows. */
export function* isDue(board: string, now: number): Transaction<boolean> {
  const [row] = yield* query<{ announce_since: number | null; public_changed_at: string }>(
    'select announce_since, public_changed_at from boards where id = ?',
    board
  )
  if (row === undefined || row.announce_since === null) return false
  const { announce_since: since, public_changed_at: last } = row
  const runAt = Math.min(Date.parse(last) + QUIET_MS, since + MAX_WAIT_MS)
  if (runAt <= now) return true
  yield* addAnnounceJob(board, since, runAt, now)
  return false
}
