/** Tables with an outbox and one table of a service, for the tests of the outbox. */
import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../../src/kernel/database/database.ts'
import { type DatabaseLocation, openDatabase } from '../../src/kernel/database/open.ts'
import { query, type Transaction } from '../../src/kernel/database/transaction.ts'
import { addJob } from '../../src/kernel/outbox/add-job.ts'
import type { JobHandlers, JobResult, NewJob } from '../../src/kernel/outbox/job.ts'
import type { LoopOptions } from '../../src/kernel/outbox/loop.ts'
import { createOutbox, type RunningOutbox } from '../../src/kernel/outbox/outbox.ts'
import { outboxMigration } from '../../src/kernel/outbox/table.ts'

const DEADLINE_MS = 60_000

export const MIGRATIONS = [
  outboxMigration(),
  'create table changes (id text primary key, written integer not null)'
]

export async function openOutboxTables(
  place: DatabaseLocation
): Promise<Database & AsyncDisposable> {
  const database = await openDatabase(place, { service: 'things', migrations: MIGRATIONS })
  return { ...database, [Symbol.asyncDispose]: database.close }
}

/** A change of the service and the job about it. */
export function* change(
  id: string,
  job: Partial<NewJob> = {},
  time = Date.now()
): Transaction<string | undefined> {
  yield* query('insert into changes (id, written) values (?, 0)', id)
  return yield* addJob(newJob(id, job), time)
}

export function newJob(key: string, job: Partial<NewJob> = {}): NewJob {
  return { key, kind: 'send', lane: key, payload: JSON.stringify(key), ...job }
}

/** Counts how often it ran for an id. */
export function* written(id: string): Transaction<void> {
  yield* query('update changes set written = written + 1 where id = ?', id)
}

export interface TestOutbox extends RunningOutbox, AsyncDisposable {
  database: Database
  warnings: string[]
  /** Adds to the clock and looks for due jobs. */
  advance: (ms: number) => void
}

/** The outbox of a process whose clock can be moved. */
export function openOutbox(
  database: Database,
  { now = Date.now, ...options }: Partial<LoopOptions> = {}
): TestOutbox {
  const warnings: string[] = []
  let moved = 0
  const outbox = createOutbox(database, {
    now: () => now() + moved,
    warn: (text) => warnings.push(text),
    ...options
  })
  return {
    ...outbox,
    database,
    warnings,
    advance(ms) {
      moved += ms
      outbox.wake()
    },
    [Symbol.asyncDispose]: () => outbox.stop(0)
  }
}

/** A handler whose runs the test watches; it returns what `result` says. */
export function recorder(result: (key: string, attempt: number) => JobResult | Promise<JobResult>) {
  const runs: { key: string; id: string; payload: string; attempt: number }[] = []
  const handlers: JobHandlers = {
    send: {
      run: async ({ key, id, payload, attempt }) => {
        runs.push({ key, id, payload, attempt })
        return result(key, attempt)
      }
    }
  }
  return { runs, keys: () => runs.map(({ key }) => key), handlers }
}

export async function until(
  condition: () => boolean | Promise<boolean>,
  what: string,
  deadlineMs = DEADLINE_MS
): Promise<void> {
  const deadline = performance.now() + deadlineMs
  while (!(await condition())) {
    assert.ok(performance.now() < deadline, `not in time: ${what}`)
    await wait(2)
  }
}

export interface StoredJob {
  id: string
  payload: string
  lane: string
  event_key: string
  state: string
  attempts: number
  fence: number
  run_at: number
  lease_until: number | null
  is_candidate: number
  last_error: string | null
}

export async function storedJobs({ read }: Database): Promise<readonly StoredJob[]> {
  return read(() => query<StoredJob>('select * from outbox order by number'))
}

export async function statesOf(database: Database): Promise<Record<string, string>> {
  const jobs = await storedJobs(database)
  return Object.fromEntries(jobs.map(({ event_key, state }) => [event_key, state]))
}

/** How often `written` ran, by id. */
export async function writtenCounts({ read }: Database): Promise<Record<string, number>> {
  const rows = await read(() =>
    query<{ id: string; written: number }>('select id, written from changes order by id')
  )
  return Object.fromEntries(rows.map(({ id, written }) => [id, written]))
}
