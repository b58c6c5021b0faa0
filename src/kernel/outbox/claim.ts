import type { Engine } from '../database/database.ts'
import { groupsOf, placeholders } from '../database/groups.ts'
import { query, type Transaction } from '../database/transaction.ts'
import { promote } from './marks.ts'

/** Candidates that a claim looks at: some are behind another job of their lane. */
const candidateLimit = (limit: number) => 64 + 4 * limit
const GROUP_SIZES = [64, 16, 4, 1]

/** A claimed job, as it is stored. */
export interface ClaimedJob {
  id: string
  event_key: string
  kind: string
  lane: string
  payload: string
  attempts: number
  fence: number
  created_at: number
}

export interface Claims {
  jobs: readonly ClaimedJob[]
  /** Whether more than the limit are due, or more than one claim looks at. */
  isMore: boolean
  /** Unix milliseconds at which the next candidate is due; undefined if no candidate waits. */
  nextAt: number | undefined
}

interface Candidate {
  number: number
  kind: string
  lane: string
  state: string
  /** Number of the first waiting job of the lane. */
  first: number | null
}

/** How many more jobs of a kind may run; kinds that are not listed have no limit of their own. */
export type FreeSlots = ReadonlyMap<string, number>

/** Jobs of kinds without a free slot wait for the end of another one. */
function withSlot(slots: FreeSlots): { sql: string; args: readonly string[] } {
  const busy = [...slots].flatMap(([kind, free]) => (free > 0 ? [] : [kind]))
  if (busy.length === 0) return { sql: '', args: [] }
  return {
    sql: `and (kind not in (${placeholders(busy.length)}) or state <> 'waiting')`,
    args: busy
  }
}

/** Unix milliseconds at which the next candidate is due; undefined if no candidate waits. */
export function* readNextTime(slots: FreeSlots): Transaction<number | undefined> {
  const { sql, args } = withSlot(slots)
  const [next] = yield* query<{ run_at: number }>(
    `select run_at from outbox where is_candidate = 1 ${sql} order by run_at limit 1`,
    ...args
  )
  return next?.run_at
}

export interface ClaimOptions {
  engine: Engine
  now: number
  leaseUntil: number
  limit: number
  slots: FreeSlots
}

/**
 * Gives leases on due jobs that are the first ones of their lanes. No other claim may run at the
 * same time, in any process.
 */
export function* claimJobs(options: ClaimOptions): Transaction<Claims> {
  const candidates = yield* readCandidates(options)
  const ended = candidates.filter(({ state }) => state !== 'waiting')
  if (ended.length > 0) {
    yield* demote(ended)
    yield* promote(ended.map(({ lane }) => lane))
    return yield* claimJobs(options)
  }
  const first = candidates.filter(({ number, first }) => number === first)
  const behind = candidates.filter(({ number, first }) => number !== first)
  yield* demote(behind)
  // A replayed job has an earlier number than those that waited before it.
  const promoted = yield* promote([...new Set(behind.map(({ lane }) => lane))])
  if (promoted > 0) return yield* claimJobs(options)
  const jobs = yield* lease(chooseFirst(first, options), options)
  return {
    jobs,
    isMore: first.length > jobs.length || candidates.length === candidateLimit(options.limit),
    nextAt: yield* readNextTime(options.slots)
  }
}

function chooseFirst(
  candidates: readonly Candidate[],
  { limit, slots }: ClaimOptions
): readonly Candidate[] {
  const free = new Map(slots)
  const allowed = candidates.filter(({ kind }) => {
    const left = free.get(kind) ?? Infinity
    free.set(kind, left - 1)
    return left > 0
  })
  return allowed.slice(0, limit)
}

/** Rows that another transaction is changing are skipped: those of jobs that are just ending. */
function* readCandidates({
  engine,
  now,
  limit,
  slots
}: ClaimOptions): Transaction<readonly Candidate[]> {
  const { sql, args } = withSlot(slots)
  return yield* query<Candidate>(
    `select number, kind, lane, state, (select number from outbox waiting
       where waiting.lane = outbox.lane and waiting.state = 'waiting' order by number limit 1)
       as first
     from outbox where is_candidate = 1 and run_at <= ? ${sql} order by run_at, number limit ?
     ${engine === 'postgres' ? 'for update skip locked' : ''}`,
    ...[now, ...args, candidateLimit(limit)]
  )
}

function* demote(candidates: readonly Candidate[]): Transaction<void> {
  for (const group of groupsOf(candidates, GROUP_SIZES)) {
    yield* query(
      `update outbox set is_candidate = 0 where number in (${placeholders(group.length)})`,
      ...group.map(({ number }) => number)
    )
  }
}

function* lease(
  candidates: readonly Candidate[],
  { leaseUntil }: ClaimOptions
): Transaction<readonly ClaimedJob[]> {
  const jobs: ClaimedJob[] = []
  for (const group of groupsOf(candidates, GROUP_SIZES)) {
    const leased = yield* query<ClaimedJob>(
      `update outbox set fence = fence + 1, attempts = attempts + 1, run_at = ?, lease_until = ?
       where number in (${placeholders(group.length)})
       returning id, event_key, kind, lane, payload, attempts, fence, created_at`,
      ...[leaseUntil, leaseUntil],
      ...group.map(({ number }) => number)
    )
    jobs.push(...leased)
  }
  return jobs
}
