import { groupsOf, placeholders } from '../database/groups.ts'
import { lockUntilCommit, notify, query, type Transaction } from '../database/transaction.ts'
import type { NewJob } from './job.ts'
import { createJobId } from './job-id.ts'

export const MAX_PAYLOAD_BYTES = 256 * 1024
const MAX_NAME_LENGTH = 500

/** Wakes the outbox of all processes. */
export const OUTBOX_TOPIC = 'outbox'

export class PayloadTooLarge extends Error {
  override name = 'PayloadTooLarge'
}

/** Rows of one statement; few sizes mean few prepared statements. */
const GROUP_SIZES = [16, 4, 1]

/**
 * Adds a job in the transaction of the change that it is about, as the last step if possible:
 * another transaction that adds to the lane waits for its end. That makes the numbers of a lane
 * grow in the order of the commits, so that a reader of one has seen all before it. The id of the
 * job; undefined if one with this key is stored.
 */
export function* addJob(job: NewJob, time: number): Transaction<string | undefined> {
  const [added] = yield* addJobs([job], time)
  return added
}

/** Like `addJob`, for many: the ids of those that were added, in their order. */
export function* addJobs(jobs: readonly NewJob[], time: number): Transaction<readonly string[]> {
  for (const job of jobs) requireSize(job)
  // Sorted, so that transactions do not wait for each other.
  const lanes = [...new Set(jobs.map(({ lane }) => lane))].sort()
  for (const lane of lanes) yield* lockUntilCommit(`outbox lane ${lane}`)
  const added: string[] = []
  for (const group of groupsOf(jobs, GROUP_SIZES)) {
    const rows = yield* query<{ id: string }>(
      `insert into outbox (id, event_key, kind, lane, payload, state, is_candidate, run_at, attempts,
         fence, created_at)
       values ${placeholders(group.length, "(?, ?, ?, ?, ?, 'waiting', 1, ?, 0, 0, ?)")}
       on conflict (event_key) do nothing returning id`,
      ...group.flatMap(({ id = createJobId(time), key, kind, lane, payload, runAt = time }) => [
        ...[id, key, kind, lane, payload],
        ...[Math.round(runAt), time]
      ])
    )
    for (const { id } of rows) added.push(id)
  }
  if (added.length > 0) yield* notify(OUTBOX_TOPIC)
  return added
}

function requireSize({ key, lane, payload }: NewJob): void {
  const bytes = Buffer.byteLength(payload)
  if (bytes > MAX_PAYLOAD_BYTES) {
    throw new PayloadTooLarge(`A payload of ${bytes} bytes; ${MAX_PAYLOAD_BYTES} are allowed`)
  }
  if (key.length > MAX_NAME_LENGTH || lane.length > MAX_NAME_LENGTH) {
    throw new Error(`A key and a lane have at most ${MAX_NAME_LENGTH} characters: ${key}`)
  }
}

/**
 * Ends the waiting jobs of a lane; one that runs marks nothing any more. Candidates stay until the
 * next claim, which looks for a job that was added at the same time.
 */
export function* removeLane(lane: string): Transaction<void> {
  yield* query(`delete from outbox where lane = ? and state = 'waiting' and is_candidate = 0`, lane)
  yield* query(
    `update outbox set state = 'removed', event_key = id, payload = '', ended_at = created_at, run_at = 0,
       lease_until = null
     where lane = ? and state = 'waiting'`,
    lane
  )
  yield* notify(OUTBOX_TOPIC)
}
