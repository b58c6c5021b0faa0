import { StorageUnavailable } from './errors.ts'
import { runSync } from './run-transaction.ts'
import { BUSY_TIMEOUT_MS, type SqliteConnection } from './sqlite-connection.ts'
import { isBusy, isDamage, isStorageFull } from './sqlite-errors.ts'
import type { Rows, SqlStep, Transaction } from './transaction.ts'

const MAX_BATCH = 500
/** After a job has failed, this many jobs run in savepoints: a further error undoes no batch. */
const CAREFUL_JOBS = 1000
/** A batch blocks the event loop; after this time the other jobs wait for the next turn. */
const MAX_BATCH_MS = 12
/** How long writes wait for the lock of another process. */
const MAX_BUSY_MS = 5_000

interface Job {
  transaction: () => Transaction<unknown>
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

export interface GroupCommit {
  write: <T>(transaction: () => Transaction<T>) => Promise<T>
  /** Number of commits so far. */
  count: () => number
  /** Rejects new writes; resolves when all earlier ones are committed or rejected. */
  end: () => Promise<void>
}

/** Writes of one event-loop turn share a transaction, and therefore one wait for the disk. */
export function createGroupCommit(
  connection: SqliteConnection,
  translate: (error: unknown) => unknown,
  publish: (topic: string) => void
): GroupCommit {
  const { raw } = connection
  const begin = raw.prepare('begin immediate')
  const commit = raw.prepare('commit')
  const rollback = raw.prepare('rollback')
  const savepoint = raw.prepare('savepoint job')
  const release = raw.prepare('release job')
  const undo = raw.prepare('rollback to job')

  const queue: Job[] = []
  let scheduled = false
  /** Number of jobs at the head that get a transaction each, because their batch failed. */
  let oneByOne = 0
  /** Number of jobs at the head that run in savepoints; the error of a later job undoes a batch. */
  let savepointsLeft = 0
  let busySince: number | undefined
  /** Set if an error has aborted the whole transaction. */
  let aborted: unknown
  /** Set if a job without a savepoint failed, but would have failed alone with one. */
  let failedInJob = false
  /** Topics of the batch, published once each after its commit. */
  let topics = new Set<string>()
  let ended: (() => void) | undefined
  let commits = 0

  function schedule(delayMs = 0): void {
    if (queue.length === 0) ended?.()
    else if (!scheduled) {
      scheduled = true
      if (delayMs === 0) setImmediate(flush)
      else setTimeout(flush, delayMs)
    }
  }

  function flush(): void {
    scheduled = false
    failedInJob = false
    topics = new Set()
    const responses: (() => void)[] = []
    try {
      begin.run()
      busySince = undefined
      runBatch(responses)
      commit.run()
    } catch (error) {
      recover(error, responses.length)
      return
    }
    commits += 1
    queue.splice(0, responses.length)
    oneByOne = Math.max(0, oneByOne - responses.length)
    savepointsLeft = Math.max(0, savepointsLeft - responses.length)
    for (const response of responses) response()
    schedule()
    for (const topic of topics) publish(topic)
  }

  function runBatch(responses: (() => void)[]): void {
    const limit = oneByOne > 0 ? 1 : MAX_BATCH
    const deadline = performance.now() + MAX_BATCH_MS
    const run = savepointsLeft > 0 ? runJob : runWithoutSavepoint
    for (const job of queue) {
      responses.push(run(job))
      if (responses.length === limit || performance.now() > deadline) return
    }
  }

  /** Used while no job fails: repeating a batch now and then costs less than savepoints. */
  function runWithoutSavepoint({ transaction, resolve }: Job): () => void {
    aborted = undefined
    try {
      const value = runSync(transaction(), runStep, addTopic)
      return () => resolve(value)
    } catch (error) {
      failedInJob = aborted === undefined && raw.isTransaction && !concernsAll(error)
      throw aborted ?? error
    }
  }

  /** The returned function settles the caller's promise; it is called after the commit. */
  function runJob({ transaction, resolve, reject }: Job): () => void {
    aborted = undefined
    savepoint.run()
    try {
      const jobTopics: string[] = []
      const value = runSync(transaction(), runStep, (topic) => jobTopics.push(topic))
      release.run()
      for (const topic of jobTopics) topics.add(topic)
      return () => resolve(value)
    } catch (error) {
      if (aborted !== undefined || !raw.isTransaction || concernsAll(error)) throw aborted ?? error
      undo.run()
      release.run()
      return () => reject(error)
    }
  }

  function addTopic(topic: string): void {
    topics.add(topic)
  }

  function runStep(step: SqlStep): Rows {
    try {
      return connection.run(step)
    } catch (error) {
      if (concernsAll(error) || !raw.isTransaction) aborted = error
      throw translate(error)
    }
  }

  /** Nothing of the batch is stored. Jobs are repeated, so that only the one at fault fails. */
  function recover(error: unknown, done: number): void {
    if (raw.isTransaction) rollback.run()
    if (isBusy(error)) {
      waitForTurn(error)
      return
    }
    if (isDamage(error)) {
      rejectAll(error)
      return
    }
    if (done === 0 || oneByOne > 0) {
      oneByOne = Math.max(0, oneByOne - 1)
      queue.shift()?.reject(translate(error))
    } else if (failedInJob) savepointsLeft = CAREFUL_JOBS
    else oneByOne = done + 1
    schedule()
  }

  function waitForTurn(error: unknown): void {
    busySince ??= performance.now()
    if (performance.now() - busySince > MAX_BUSY_MS) {
      rejectAll(error)
      return
    }
    schedule(BUSY_TIMEOUT_MS)
  }

  function rejectAll(error: unknown): void {
    oneByOne = 0
    for (const { reject } of queue.splice(0)) reject(translate(error))
    schedule()
  }

  return {
    write: <T>(transaction: () => Transaction<T>) =>
      new Promise<T>((resolve, reject) => {
        if (ended !== undefined) throw new StorageUnavailable()
        queue.push({ transaction, resolve: resolve as Job['resolve'], reject })
        schedule()
      }),
    count: () => commits,
    end: () =>
      new Promise((resolve) => {
        ended = resolve
        schedule()
      })
  }
}

/** Errors of the file, not of a job. */
function concernsAll(error: unknown): boolean {
  return isStorageFull(error) || isDamage(error)
}
