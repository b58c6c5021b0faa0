import { fullGroupsOf, placeholders } from '../database/groups.ts'
import { query, type Transaction } from '../database/transaction.ts'

/** Ids of one query. */
const READ_AT_ONCE = 50

/** SQL for a condition on a column with ids of jobs. */
export const WAITING_JOBS = "select id from outbox where state = 'waiting'"
/** The second condition is that of the index. */
export const DEAD_JOBS = "select id from outbox where state = 'dead' and state <> 'waiting'"

/** SQL: whether a column has the id of a job that waits or runs. */
export function isWaitingJob(column: string): string {
  return `exists (select 1 from outbox where outbox.id = ${column} and outbox.state = 'waiting')`
}

export interface JobStatus {
  id: string
  state: 'waiting' | 'done' | 'dead' | 'removed'
  attempts: number
  /** Unix milliseconds; of the next attempt if it waits. */
  runAt: number
  endedAt: number | null
  lastError: string | null
}

/** By id; jobs that ended long ago are not stored any more. */
export function* readJobs(ids: readonly string[]): Transaction<ReadonlyMap<string, JobStatus>> {
  const found = new Map<string, JobStatus>()
  for (const group of fullGroupsOf(ids, READ_AT_ONCE)) {
    const rows = yield* query<JobStatus>(
      `select id, state, attempts, run_at as "runAt", ended_at as "endedAt",
         last_error as "lastError"
       from outbox where id in (${placeholders(group.length)})`,
      ...group
    )
    for (const row of rows) found.set(row.id, row)
  }
  return found
}
