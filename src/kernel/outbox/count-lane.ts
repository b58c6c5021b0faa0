import { query, type Transaction } from '../database/transaction.ts'

/** Number of the waiting jobs of a lane, at most `limit`. */
export function* countLane(lane: string, limit: number): Transaction<number> {
  const [row] = yield* query<{ count: number }>(
    `select count(*) as count from (
       select 1 as found from outbox where lane = ? and state = 'waiting' limit ?) as waiting`,
    ...[lane, limit]
  )
  return row?.count ?? 0
}

const MAX_COUNT = 10_000

export interface KindCounts {
  /** Jobs that run. */
  active: number
  /** Jobs that wait for the time of their next attempt. */
  delayed: number
  /** Jobs that are due, or wait for another one of their lane. */
  waiting: number
}

/** Numbers of the jobs of a kind that have not ended, of at most 10,000. */
export function* countKind(kind: string, time: number): Transaction<KindCounts> {
  const [row] = yield* query<KindCounts>(
    `select coalesce(sum(is_active), 0) as active, coalesce(sum(is_delayed), 0) as delayed,
       count(*) as waiting
     from (select case when lease_until > ? then 1 else 0 end as is_active,
         case when lease_until is null and is_candidate = 1 and run_at > ? then 1 else 0 end
           as is_delayed
       from outbox where state = 'waiting' and kind = ? limit ?) as jobs`,
    ...[time, time, kind, MAX_COUNT]
  )
  const { active, delayed, waiting } = row ?? { active: 0, delayed: 0, waiting: 0 }
  const others = Number(active) + Number(delayed)
  return { active: Number(active), delayed: Number(delayed), waiting: Number(waiting) - others }
}
