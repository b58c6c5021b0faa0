import type { Engine } from '../database/database.ts'
import { query, type Transaction } from '../database/transaction.ts'
import type { DeadJob, LaneEvent } from './job.ts'

const MAX_COUNT = 10_000
/** The second condition is the one of the index, which SQLite does not derive from the first. */
const IS_DEAD = "state = 'dead' and state <> 'waiting'"

/**
 * The order is safe for a reader that continues after the last id it has seen: a job of a lane
 * with a lower number is committed before a job with a higher number (see `addJob`).
 */
export function* readLane(
  lane: string,
  lastEventId: string | undefined,
  limit: number
): Transaction<readonly LaneEvent[] | undefined> {
  const last = lastEventId === undefined ? { number: 0 } : yield* findInLane(lane, lastEventId)
  if (last === undefined) return undefined
  return yield* query<LaneEvent>(
    `select id, kind, payload, created_at as "createdAt" from outbox
     where lane = ? and number > ? order by number limit ?`,
    ...[lane, last.number, limit]
  )
}

function* findInLane(lane: string, id: string): Transaction<{ number: number } | undefined> {
  const [found] = yield* query<{ number: number }>(
    'select number from outbox where id = ? and lane = ?',
    id,
    lane
  )
  return found
}

export function* listDead(limit: number): Transaction<readonly DeadJob[]> {
  return yield* query<DeadJob>(
    `select id, event_key as key, kind, lane, attempts, coalesce(last_error, '') as "lastError",
       created_at as "createdAt", ended_at as "endedAt"
     from outbox where ${IS_DEAD} order by ended_at desc limit ?`,
    limit
  )
}

export function* countJobs(): Transaction<{ waiting: number; dead: number }> {
  const [counts] = yield* query<{ waiting: number; dead: number }>(
    `select (select count(*) from (select 1 from outbox where state = 'waiting' limit ?) as w) as waiting,
       (select count(*) from (select 1 from outbox where ${IS_DEAD} limit ?) as d) as dead`,
    MAX_COUNT,
    MAX_COUNT
  )
  return counts ?? { waiting: 0, dead: 0 }
}

/** Removes jobs that ended in a state before a time; the number of removed ones. */
export function* removeEnded(
  engine: Engine,
  state: string,
  before: number,
  limit: number
): Transaction<number> {
  const removed = yield* query(
    `delete from outbox where number in (select number from outbox
       where state = ? and ended_at < ? and state <> 'waiting' and is_candidate = 0
       order by ended_at limit ? ${engine === 'postgres' ? 'for update skip locked' : ''})
     returning number`,
    ...[state, before, limit]
  )
  return removed.length
}
