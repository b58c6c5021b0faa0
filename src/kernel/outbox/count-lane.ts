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
