import type { Transaction } from '../database/transaction.ts'

/** A job to be added. */
export interface NewJob {
  /** Of `createJobId`, for rows that name the job; chosen by default. */
  id?: string
  /** Names what the job is about: a second job with this key is not added. */
  key: string
  /** Selects the handler. */
  kind: string
  /** Jobs of a lane run one after the other in the order of their commits. */
  lane: string
  /** JSON, at most `MAX_PAYLOAD_BYTES`. */
  payload: string
  /** Unix milliseconds; at once by default. Later jobs of the lane wait for it too. */
  runAt?: number
}

/** One attempt of a job; a repeated attempt has the same id and payload. */
export interface Job {
  id: string
  key: string
  kind: string
  lane: string
  payload: string
  /** From 1. */
  attempt: number
  /** Unix milliseconds. */
  createdAt: number
  /** Aborted when the time of the attempt is over, when its lease is lost and at the end of a stop. */
  signal: AbortSignal
}

/**
 * `write` runs in one transaction with the mark of the result, and only if the lease is valid.
 * `postponed`: nothing was tried, so the attempt does not count.
 */
export type JobResult =
  | { state: 'done'; write?: () => Transaction<void> }
  | { state: 'retry'; reason: string; afterMs?: number; write?: () => Transaction<void> }
  | { state: 'dead'; reason: string; write?: () => Transaction<void> }
  | { state: 'postponed'; afterMs: number; write?: undefined }

export interface JobHandler {
  /** A rejection is a retry. */
  run: (job: Job) => Promise<JobResult>
  /** Attempts until the job is dead; 20 by default. */
  maxAttempts?: number
  /**
   * Jobs of the kind that a process runs at a time, fewer than all: for those that wait for others,
   * so that they do not delay jobs of other kinds.
   */
  maxRunning?: number
  /** Time of one attempt, after which it is aborted and repeated later; 60 s by default. */
  timeoutMs?: number
  /** Milliseconds from a failed attempt, counted from 1, to the next one. */
  backoff?: (attempt: number) => number
}

/** Handlers by kind. */
export type JobHandlers = Readonly<Record<string, JobHandler>>

/** A job that is not tried again unless it is replayed. */
export interface DeadJob {
  id: string
  key: string
  kind: string
  lane: string
  attempts: number
  lastError: string
  createdAt: number
  endedAt: number
}

/** A job of a lane as an event; `id` is what `Last-Event-ID` repeats. */
export interface LaneEvent {
  id: string
  kind: string
  payload: string
  createdAt: number
}

export interface Outbox {
  /** Runs a job that is done or dead once more; false if the id is unknown or the job still waits. */
  replay: (id: string) => Promise<boolean>
  /** The latest first. */
  listDead: (limit: number) => Promise<readonly DeadJob[]>
  /**
   * Jobs of a lane in their order, whatever their state, after the one with this id, or from the
   * first one that is stored. Undefined if the id is not of the lane or has been removed.
   */
  readAfter: (
    lane: string,
    lastEventId: string | undefined,
    limit: number
  ) => Promise<readonly LaneEvent[] | undefined>
  /** Counted up to 10,000 each. */
  count: () => Promise<{ waiting: number; dead: number }>
}
