import type { Database } from '../database/database.ts'
import type { JobHandlers, Outbox } from './job.ts'
import type { Loop, LoopOptions } from './loop.ts'

export interface RunningOutbox {
  outbox: Outbox
  /** Runs jobs from now on. */
  start: (handlers: JobHandlers) => Promise<void>
  /** Looks for due jobs now. */
  wake: () => void
  /** No further job is claimed. */
  drain: () => void
  /** Waits for running jobs up to the time, then gives them back; before the database is closed. */
  stop: (deadlineMs: number) => Promise<void>
}

/** The outbox of a service; what runs jobs is loaded by `start`, the rest with its first use. */
export function createOutbox(database: Database, options: LoopOptions): RunningOutbox {
  const { now, warn } = options
  let loop: Loop | undefined
  let retention: { stop: () => Promise<void> } | undefined
  let isDraining = false

  function drain(): void {
    isDraining = true
    loop?.drain()
  }

  return {
    outbox: {
      async replay(id) {
        const { replayJob, TURN_OPTIONS } = await import('./turn.ts')
        return database.write(() => replayJob(id, now()), TURN_OPTIONS)
      },
      async listDead(limit) {
        const { listDead } = await import('./history.ts')
        return database.read(() => listDead(limit))
      },
      async readAfter(lane, lastEventId, limit) {
        const { readLane } = await import('./history.ts')
        return database.read(() => readLane(lane, lastEventId, limit))
      },
      async count() {
        const { countJobs } = await import('./history.ts')
        return database.read(countJobs)
      }
    },
    async start(handlers) {
      const { createLoop } = await import('./loop.ts')
      const { repeatRetention } = await import('./retention.ts')
      if (isDraining) return
      loop = createLoop(database, handlers, options)
      retention = repeatRetention(database, now, warn)
      loop.wake()
    },
    wake: () => loop?.wake(),
    drain,
    async stop(deadlineMs) {
      drain()
      await Promise.all([loop?.stop(deadlineMs), retention?.stop()])
    }
  }
}
