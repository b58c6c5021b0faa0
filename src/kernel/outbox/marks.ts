import { groupsOf, placeholders } from '../database/groups.ts'
import { query, type SqlValue, type Transaction } from '../database/transaction.ts'

/** Rows of one statement; few sizes mean few prepared statements. */
const GROUP_SIZES = [64, 16, 4, 1]

/** A lease of a process on a job; a later lease has a higher fence. */
export interface Lease {
  id: string
  fence: number
}

/** The end of an attempt. */
export interface Mark extends Lease {
  state: 'done' | 'dead' | 'waiting'
  /** Of the next attempt if it waits, else the time of the end. */
  runAt: number
  error: string | undefined
  /** The attempt does not count, and the error of the last one stays. */
  isPostponed?: boolean
}

/** Marks attempts whose leases are valid, and makes the next jobs of their lanes candidates. */
export function* markEnded(marks: readonly Mark[]): Transaction<void> {
  const lanes: string[] = []
  for (const group of groupsOf(marks, GROUP_SIZES)) {
    const ended = yield* query<{ lane: string }>(
      `with ended (id, fence, state, run_at, error, uncounted)
         as (values ${placeholders(group.length, MARK)})
       update outbox set state = ended.state, run_at = ended.run_at,
         last_error = case when ended.uncounted = 1 then outbox.last_error else ended.error end,
         attempts = attempts - ended.uncounted,
         is_candidate = case when ended.state = 'waiting' then 1 else 0 end,
         ended_at = case when ended.state = 'waiting' then null else ended.run_at end,
         lease_until = null
       from ended where outbox.id = ended.id and outbox.fence = ended.fence
         and outbox.state = 'waiting'
       returning lane`,
      ...group.flatMap(({ id, fence, state, runAt, error = null, isPostponed = false }) => [
        ...[id, fence, state, runAt, error],
        isPostponed ? 1 : 0
      ])
    )
    for (const { lane } of ended) lanes.push(lane)
  }
  yield* promote(lanes)
}

const MARK = '(?, cast(? as bigint), ?, cast(? as bigint), cast(? as text), cast(? as bigint))'

/**
 * Marks one attempt and adds the writes of its handler; false if the lease is lost. The job stays
 * a candidate, because this transaction may not see the jobs that are being added to the lane.
 */
export function* markWith(mark: Mark, write: () => Transaction<void>): Transaction<boolean> {
  const { id, fence, state, runAt, error = null } = mark
  const marked = yield* query(
    `update outbox set state = ?, run_at = ?, last_error = ?, ended_at = ?, lease_until = null
     where id = ? and fence = ? and state = 'waiting' returning id`,
    ...[state, runAt, error, state === 'waiting' ? null : runAt],
    ...[id, fence]
  )
  if (marked.length === 0) return false
  yield* write()
  return true
}

/** Makes the first waiting jobs of lanes candidates; how many were not. */
export function* promote(lanes: readonly string[]): Transaction<number> {
  let promoted = 0
  for (const group of groupsOf(lanes, GROUP_SIZES)) {
    const changed = yield* query(
      `with lanes (lane) as (values ${placeholders(group.length, '(?)')})
       update outbox set is_candidate = 1
       from (select (select number from outbox waiting where waiting.lane = lanes.lane
           and waiting.state = 'waiting' order by number limit 1) as number from lanes) as next
       where outbox.number = next.number and is_candidate = 0 returning id`,
      ...group
    )
    promoted += changed.length
  }
  return promoted
}

/** Extends leases; the ones that are still valid. */
export function* extendLeases(
  leases: readonly Lease[],
  until: number
): Transaction<readonly Lease[]> {
  return yield* changeLeases(leases, 'run_at = ?, lease_until = ?', [until, until])
}

/** Gives jobs back that have not ended; the attempt does not count. */
export function* giveBack(leases: readonly Lease[], time: number): Transaction<void> {
  const change = 'run_at = ?, lease_until = null, fence = outbox.fence + 1, attempts = attempts - 1'
  yield* changeLeases(leases, change, [time])
}

function* changeLeases(
  leases: readonly Lease[],
  change: string,
  args: readonly SqlValue[]
): Transaction<readonly Lease[]> {
  const valid: Lease[] = []
  for (const group of groupsOf(leases, GROUP_SIZES)) {
    const changed = yield* query<Lease>(
      `with leases (id, fence) as (values ${placeholders(group.length, '(?, cast(? as bigint))')})
       update outbox set ${change} from leases
       where outbox.id = leases.id and outbox.fence = leases.fence and outbox.state = 'waiting'
       returning outbox.id as id, outbox.fence as fence`,
      ...group.flatMap(({ id, fence }) => [id, fence]),
      ...args
    )
    valid.push(...changed)
  }
  return valid
}
