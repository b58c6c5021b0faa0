import type { Database } from '../database/database.ts'
import { OUTBOX_TOPIC } from './add-job.ts'
import { markOf, runAttempt } from './attempt.ts'
import { type ClaimedJob, readNextTime } from './claim.ts'
import type { JobHandlers, JobResult } from './job.ts'
import { type Mark, markWith } from './marks.ts'
import { endAllLeases, endTurns, TURN_OPTIONS, type TurnResult, takeTurn } from './turn.ts'

/** After this time another process runs the job of one that was killed or is paused. */
const LEASE_MS = 20_000
const MAX_RUNNING = 32
/** On PostgreSQL, where a notification may be lost. */
const POLL_MS = 5_000
/** Timers are at most this long, because the clock may be set. */
const MAX_SLEEP_MS = 60_000
/** Between two turns of which the first has found nothing to claim. */
const MIN_SLEEP_MS = 20
const FIRST_RETRY_MS = 250
const LONGEST_RETRY_MS = 5_000

export interface LoopOptions {
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
  /** Waits for running jobs up to the time, then gives them back. */
  stop: (deadlineMs: number) => Promise<void>
}

interface Running {
  claimed: ClaimedJob
  controller: AbortController
  /** Whether the attempt has ended, and its mark is written next. */
  isEnded: boolean
  leaseUntil: number
}

/** Claims due jobs, runs them and marks their results, all in turns of one transaction. */
export function createLoop(database: Database, handlers: JobHandlers, options: LoopOptions): Loop {
  const { now, warn, leaseMs = LEASE_MS, maxRunning = MAX_RUNNING } = options
  const { engine } = database
  const running = new Map<string, Running>()
  let marks: Mark[] = []
  let turning: Promise<void> | undefined
  /** Whether something has happened since the turn began. */
  let isWanted = false
  let isDraining = false
  let isStopped = false
  let failedTurns = 0
  let timer: NodeJS.Timeout | undefined
  let onIdle: (() => void) | undefined
  /** Whether the leases of a process that was killed are ended. */
  let isPrepared = engine === 'postgres'
  const pauses = new Set<() => void>()

  function wake(): void {
    isWanted = true
    if (turning !== undefined || isStopped) return
    clearTimeout(timer)
    turning = takeTurns().finally(() => {
      turning = undefined
      if (isWanted) wake()
      else if (running.size === 0) onIdle?.()
    })
  }

  async function takeTurns(): Promise<void> {
    // Results of one turn of the event loop are written together.
    await new Promise(setImmediate)
    while (isWanted && !isStopped) {
      isWanted = false
      try {
        sleepUntil(await turn())
        failedTurns = 0
      } catch (error) {
        await pauseAfter(error as Error)
      }
    }
  }

  /** Resolves to the time of the next turn, if nothing happens before. */
  async function turn(): Promise<number> {
    await prepare()
    const time = now()
    const extended = leasesToExtend(time)
    const limit = isDraining ? 0 : maxRunning - running.size + marks.length
    if (marks.length === 0 && extended.length === 0) {
      const nextAt = limit === 0 ? Infinity : ((await database.read(readNextTime)) ?? Infinity)
      if (nextAt > time) return nextAt
    }
    const written = [...marks]
    const leaseUntil = time + leaseMs
    const turn = { engine, now: time, leaseUntil, limit, marks: written, extended }
    const result = await database.write(() => takeTurn(turn), TURN_OPTIONS)
    marks = marks.slice(written.length)
    for (const { id } of written) running.delete(id)
    noteLeases(extended, result, leaseUntil)
    for (const claimed of result.jobs) start(claimed, leaseUntil)
    if (limit === 0) return Infinity
    if (result.isMore && running.size < maxRunning) isWanted = true
    return result.isMore ? Infinity : (result.nextAt ?? Infinity)
  }

  async function prepare(): Promise<void> {
    if (!isPrepared) await database.write(() => endAllLeases(now()), TURN_OPTIONS)
    isPrepared = true
  }

  function leasesToExtend(time: number): readonly Running['claimed'][] {
    const active = [...running.values()].filter(({ isEnded }) => !isEnded)
    const isDue = active.some(({ leaseUntil }) => extensionTime(leaseUntil) <= time)
    return isDue ? active.map(({ claimed }) => claimed) : []
  }

  function extensionTime(leaseUntil: number): number {
    return leaseUntil - (leaseMs * 2) / 3
  }

  function noteLeases(extended: readonly ClaimedJob[], result: TurnResult, until: number): void {
    const valid = new Set(result.valid.map(({ id }) => id))
    for (const { id } of extended) {
      const job = running.get(id)
      if (job === undefined || job.isEnded) continue
      if (valid.has(id)) job.leaseUntil = until
      else lose(job)
    }
  }

  /** Another process has the job, or it was removed. */
  function lose({ claimed, controller }: Running): void {
    running.delete(claimed.id)
    controller.abort(new Error('The lease was lost'))
  }

  function start(claimed: ClaimedJob, leaseUntil: number): void {
    const former = running.get(claimed.id)
    if (former !== undefined) lose(former)
    const job = { claimed, leaseUntil, controller: new AbortController(), isEnded: false }
    running.set(claimed.id, job)
    runAttempt(claimed, handlers, job.controller).then((result) => end(job, result))
  }

  async function end(job: Running, result: JobResult): Promise<void> {
    if (running.get(job.claimed.id) !== job || isStopped) return
    if (result.write !== undefined) result = await writeResult(job, result, result.write)
    if (running.get(job.claimed.id) !== job || isStopped) return
    job.isEnded = true
    marks.push(markOf(job.claimed, handlers, result, now()))
    wake()
  }

  /** Writes the mark and the handler's changes together; the result to mark if they are rejected. */
  async function writeResult(
    job: Running,
    result: JobResult,
    write: NonNullable<JobResult['write']>
  ): Promise<JobResult> {
    const { claimed } = job
    for (let failed = 0; running.get(claimed.id) === job && !isStopped; failed++) {
      const mark = markOf(claimed, handlers, result, now())
      try {
        const isMarked = await database.write(() => markWith(mark, write), { frees: true })
        if (!isMarked) lose(job)
        else if (running.get(claimed.id) === job) running.delete(claimed.id)
        wake()
      } catch (error) {
        if (!isStorageError(error)) return { state: 'retry', reason: (error as Error).message }
        await pause(retryPause(failed))
      }
    }
    return result
  }

  function sleepUntil(time: number): void {
    const extensions = [...running.values()].map(({ leaseUntil }) => extensionTime(leaseUntil))
    const delay = Math.min(time, ...extensions) - now()
    const longest = engine === 'postgres' ? POLL_MS : MAX_SLEEP_MS
    clearTimeout(timer)
    timer = setTimeout(wake, Math.max(MIN_SLEEP_MS, Math.min(delay, longest))).unref()
  }

  /** Reports the first error of several; the outbox goes on when the database is available. */
  async function pauseAfter(error: Error): Promise<void> {
    if (failedTurns === 0) warn(`The outbox waits for its database: ${error.message}`)
    await pause(retryPause(failedTurns))
    failedTurns += 1
    isWanted = true
  }

  function pause(durationMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timeout = setTimeout(resolve, durationMs).unref()
    pauses.add(resolve)
    return promise.finally(() => {
      clearTimeout(timeout)
      pauses.delete(resolve)
    })
  }

  function drain(): void {
    isDraining = true
    unsubscribe()
  }

  const unsubscribe = database.channel.subscribe((topic) => {
    if (topic === undefined || topic === OUTBOX_TOPIC) wake()
  })

  return {
    wake,
    drain,
    async stop(deadlineMs) {
      drain()
      if (running.size > 0) {
        const idle = Promise.withResolvers<void>()
        onIdle = idle.resolve
        await Promise.race([idle.promise, pause(deadlineMs)])
      }
      isStopped = true
      clearTimeout(timer)
      for (const resume of pauses) resume()
      await turning
      const left = [...running.values()].filter(({ isEnded }) => !isEnded)
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

function retryPause(failed: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** failed, LONGEST_RETRY_MS)
}

function isStorageError(error: unknown): boolean {
  return String((error as NodeJS.ErrnoException).code).startsWith('STORAGE_')
}
