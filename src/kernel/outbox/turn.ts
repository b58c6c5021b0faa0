import { lockUntilCommit, notify, query, type Transaction } from '../database/transaction.ts'
import { OUTBOX_TOPIC } from './add-job.ts'
import { type ClaimOptions, type Claims, claimJobs } from './claim.ts'
import { extendLeases, giveBack, type Lease, type Mark, markEnded } from './marks.ts'

/**
 * How all transactions of this file are written: marks are allowed while the disk is full, and a
 * process that is paused in a turn does not stop the claims of others for longer than this.
 */
export const TURN_OPTIONS = { frees: true, readsCommitted: true, maxIdleMs: 2_000 }

export interface Turn extends ClaimOptions {
  marks: readonly Mark[]
  /** Leases to be extended. */
  extended: readonly Lease[]
}

export interface TurnResult extends Claims {
  /** The extended leases that are still valid. */
  valid: readonly Lease[]
}

/** One transaction for all that the outbox of a process writes at a time. */
export function* takeTurn(turn: Turn): Transaction<TurnResult> {
  yield* lockClaims()
  yield* markEnded(turn.marks)
  const valid = yield* extendLeases(turn.extended, turn.leaseUntil)
  return { ...(yield* claimJobs(turn)), valid }
}

/** Changes of candidates run one after the other in all processes, so that no lane loses its own. */
function lockClaims(): Transaction<void> {
  return lockUntilCommit('outbox claims')
}

/** The last writes of a process: results, and the jobs that it leaves to others. */
export function* endTurns(
  marks: readonly Mark[],
  leases: readonly Lease[],
  time: number
): Transaction<void> {
  yield* lockClaims()
  yield* markEnded(marks)
  yield* giveBack(leases, time)
}

/** Ends the leases of a process that was killed; only if no other process uses the tables. */
export function* endAllLeases(time: number): Transaction<void> {
  yield* query(
    `update outbox set run_at = ?, lease_until = null, fence = fence + 1
     where is_candidate = 1 and lease_until is not null`,
    time
  )
}

/** Makes waiting jobs of a kind due now, of one lane or of all; those that run are not changed. */
export function* hastenJobs(
  kind: string,
  lane: string | undefined,
  time: number
): Transaction<void> {
  yield* lockClaims()
  yield* query(
    `update outbox set run_at = ? where is_candidate = 1 and run_at > ? and kind = ?
       and state = 'waiting' and lease_until is null${lane === undefined ? '' : ' and lane = ?'}`,
    ...[time, time, kind],
    ...(lane === undefined ? [] : [lane])
  )
  yield* notify(OUTBOX_TOPIC)
}

/** A replayed job runs before later ones of its lane that wait, but after one that runs. */
export function* replayJob(id: string, time: number): Transaction<boolean> {
  yield* lockClaims()
  const replayed = yield* query(
    `update outbox set state = 'waiting', run_at = ?, attempts = 0, ended_at = null,
       last_error = null, is_candidate = case when exists (select 1 from outbox other
         where other.lane = outbox.lane and other.state = 'waiting'
           and (other.number < outbox.number or other.lease_until is not null)) then 0 else 1 end
     where id = ? and state in ('done', 'dead') returning id`,
    time,
    id
  )
  if (replayed.length > 0) yield* notify(OUTBOX_TOPIC)
  return replayed.length > 0
}
