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
  /** When the next candidate is due, Unix milliseconds; undefined if there is none. */
  nextAt: number | undefined
}

interface Candidate {
  number: number
  lane: string
  state: string
  /** Number of the first waiting job of the lane. */
  first: number | null
}

/** When the next candidate is due; Unix milliseconds, undefined if there is none. */
export function* readNextTime(): Transaction<number | undefined> {
  const [next] = yield* query<{ run_at: number }>(
    'select run_at from outbox where is_candidate = 1 order by run_at limit 1'
  )
  return next?.run_at
}

export interface ClaimOptions {
  engine: Engine
  now: number
  leaseUntil: number
  limit: number
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
  yield* demote(candidates.filter(({ number, first }) => number !== first))
  const jobs = yield* lease(first.slice(0, options.limit), options)
  return {
    jobs,
    isMore: first.length > options.limit || candidates.length === candidateLimit(options.limit),
    nextAt: yield* readNextTime()
  }
}

/** Rows that another transaction is changing are skipped: those of jobs that are just ending. */
function* readCandidates({ engine, now, limit }: ClaimOptions): Transaction<readonly Candidate[]> {
  return yield* query<Candidate>(
    `select number, lane, state, (select number from outbox waiting
       where waiting.lane = outbox.lane and waiting.state = 'waiting' order by number limit 1)
       as first
     from outbox where is_candidate = 1 and run_at <= ? order by run_at, number limit ?
     ${engine === 'postgres' ? 'for update skip locked' : ''}`,
    now,
    candidateLimit(limit)
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
