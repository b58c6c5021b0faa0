import type { Database } from '../database/database.ts'
import { OUTBOX_TOPIC } from './add-job.ts'
import { markOf, runAttempt } from './attempt.ts'
import { type ClaimedJob, type FreeSlots, readNextTime } from './claim.ts'
import type { JobHandlers, JobResult } from './job.ts'
import type { Mark } from './marks.ts'
import { createPauses, retryPause } from './pauses.ts'
import { createRunningJobs, type RunningJob } from './running-jobs.ts'
import { endAllLeases, endTurns, TURN_OPTIONS, takeTurn } from './turn.ts'
import { writeResult } from './write-result.ts'

/** After this time another process runs the jobs of one that was killed or is paused. */
const LEASE_MS = 20_000
const MAX_RUNNING = 32
/** On PostgreSQL, where a notification may be lost. */
const POLL_MS = 5_000
/** Timers are at most this long, because the clock may be set. */
const MAX_SLEEP_MS = 60_000
/** After a turn that could not claim a due job, because another transaction was changing it. */
const MIN_SLEEP_MS = 20

export interface LoopOptions {
  /** Unix milliseconds. Leases of processes with different clocks end early, which is safe. */
  now: () => number
  warn: (text: string) => void
  leaseMs?: number
  maxRunning?: number
}

export interface Loop {
  /** Looks for due jobs now. */
  wake: () => void
  /** No further job is claimed. */
  drain: () => void
  /** Waits for running jobs up to this time after `drain`, then gives them back. */
  stop: (deadlineMs: number) => Promise<void>
}

/**
 * Claims due jobs, runs them and marks their results in turns, each of which is one transaction.
 * A turn is taken when a job is added, when one has ended, and when the next one is due.
 */
export function createLoop(database: Database, handlers: JobHandlers, options: LoopOptions): Loop {
  const { now, warn, leaseMs = LEASE_MS, maxRunning = MAX_RUNNING } = options
  const { engine } = database
  const running = createRunningJobs(leaseMs)
  const pauses = createPauses()
  let marks: readonly Mark[] = []
  let turning: Promise<void> | undefined
  /** Whether something has happened since the turn began. */
  let isWanted = false
  /** Whether the leases of a process that was killed are ended: on SQLite it was the only one. */
  let isPrepared = engine === 'postgres'
  let errorsInRow = 0
  let timer: NodeJS.Timeout | undefined
  let drainedAt: number | undefined
  let onIdle = () => {}
  let isStopped = false

  const unsubscribe = database.channel.subscribe((topic) => {
    if (topic === undefined || topic === OUTBOX_TOPIC) wake()
  })

  function wake(): void {
    isWanted = true
    if (turning !== undefined || isStopped) return
    clearTimeout(timer)
    turning = takeTurns().finally(() => {
      turning = undefined
      if (isWanted) wake()
      else if (running.size === 0) onIdle()
    })
  }

  async function takeTurns(): Promise<void> {
    // Results of one turn of the event loop are written together.
    await new Promise(setImmediate)
    while (isWanted && !isStopped) {
      isWanted = false
      try {
        sleepUntil(await turn())
        errorsInRow = 0
      } catch (error) {
        await pauseAfter(error as Error)
      }
    }
  }

  /** Resolves to the time of the next turn, if nothing happens before. */
  async function turn(): Promise<number> {
    await prepare()
    const time = now()
    const extended = running.leasesToExtend(time)
    const limit = drainedAt === undefined ? maxRunning - running.size + marks.length : 0
    const slots = freeSlots()
    if (marks.length === 0 && extended.length === 0) {
      const nextAt = limit === 0 ? undefined : await database.read(() => readNextTime(slots))
      if (nextAt === undefined || nextAt > time) return nextAt ?? Infinity
    }
    const written = marks
    const leaseUntil = time + leaseMs
    const result = await database.write(
      () => takeTurn({ engine, now: time, leaseUntil, limit, slots, marks: written, extended }),
      TURN_OPTIONS
    )
    marks = marks.slice(written.length)
    for (const { id } of written) running.remove(id)
    running.noteExtended(extended, result.valid, leaseUntil)
    for (const claimed of result.jobs) start(claimed, leaseUntil)
    if (!result.isMore) return result.nextAt ?? Infinity
    isWanted ||= limit > result.jobs.length
    return Infinity
  }

  function freeSlots(): FreeSlots {
    const marked = new Set(marks.map(({ id }) => id))
    const limits = Object.entries(handlers).flatMap(([kind, { maxRunning }]) =>
      maxRunning === undefined ? [] : [[kind, maxRunning] as const]
    )
    return new Map(limits.map(([kind, limit]) => [kind, limit - running.countOf(kind, marked)]))
  }

  async function prepare(): Promise<void> {
    if (!isPrepared) await database.write(() => endAllLeases(now()), TURN_OPTIONS)
    isPrepared = true
  }

  function start(claimed: ClaimedJob, leaseUntil: number): void {
    const job = running.add(claimed, leaseUntil)
    runAttempt(claimed, handlers, job.controller).then((result) => end(job, result))
  }

  async function end(job: RunningJob, result: JobResult): Promise<void> {
    job.isEnded = true
    const unwritten = result.write === undefined ? result : await store(job, result, result.write)
    if (unwritten === undefined || !isOwn(job)) return
    marks = [...marks, markOf(job.claimed, handlers, unwritten, now())]
    wake()
  }

  function isOwn(job: RunningJob): boolean {
    return running.has(job) && !isStopped
  }

  /** Resolves to what is to be marked instead if the handler's changes are rejected. */
  async function store(
    job: RunningJob,
    result: JobResult,
    write: NonNullable<JobResult['write']>
  ): Promise<JobResult | undefined> {
    const mark = () => markOf(job.claimed, handlers, result, now())
    const written = await writeResult({ database, pauses, isOwn: () => isOwn(job), mark }, write)
    if (written instanceof Error) return { state: 'retry', reason: written.message }
    if (written && running.has(job)) running.remove(job.claimed.id)
    else if (!isStopped) running.lose(job)
    wake()
    return undefined
  }

  function sleepUntil(time: number): void {
    const longest = engine === 'postgres' ? POLL_MS : MAX_SLEEP_MS
    const delay = Math.min(Math.min(time, running.nextExtension()) - now(), longest)
    clearTimeout(timer)
    timer = setTimeout(wake, Math.max(delay, MIN_SLEEP_MS)).unref()
  }

  /** Reports the first error of several in a row; the outbox goes on when the database does. */
  async function pauseAfter(error: Error): Promise<void> {
    if (errorsInRow === 0) warn(`The outbox waits for its database: ${error.message}`)
    await pauses.pause(retryPause(errorsInRow))
    errorsInRow += 1
    isWanted = true
  }

  function drain(): void {
    drainedAt ??= performance.now()
    unsubscribe()
  }

  async function waitForJobs(deadlineMs: number): Promise<void> {
    if (running.size === 0 && turning === undefined) return
    const idle = Promise.withResolvers<void>()
    onIdle = idle.resolve
    const rest = deadlineMs - (performance.now() - (drainedAt ?? 0))
    await Promise.race([idle.promise, pauses.pause(Math.max(rest, 0))])
  }

  return {
    wake,
    drain,
    async stop(deadlineMs) {
      drain()
      await waitForJobs(deadlineMs)
      isStopped = true
      clearTimeout(timer)
      pauses.endAll()
      await turning
      const left = running.unfinished()
      for (const { controller } of left) controller.abort(new Error('The process ends'))
      if (marks.length === 0 && left.length === 0) return
      const leases = left.map(({ claimed }) => claimed)
      await database
        .write(() => endTurns(marks, leases, now()), TURN_OPTIONS)
        .catch((error) => {
          warn(`The outbox could not write its last results: ${error.message}`)
        })
    }
  }
}
