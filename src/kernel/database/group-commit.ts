import { drive } from './drive.ts'
import { StorageUnavailable } from './failures.ts'
import type { Plan, Rows, Step } from './plan.ts'
import {
  BUSY_TIMEOUT_MS,
  fromSqlite,
  isBusy,
  isStorageFull,
  type SqliteConnection
} from './sqlite-connection.ts'

const MAX_BATCH = 500
/** Once one has failed, so many jobs get a savepoint each: failures seldom come alone. */
const CAREFUL_JOBS = 1000
/** A batch holds the event loop; what is left waits for the next turn. */
const MAX_BATCH_MS = 12
/** How long another process may keep us from writing. */
const MAX_BUSY_MS = 5_000

interface Job {
  plan: () => Plan<unknown>
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

export interface GroupCommit {
  write: <T>(plan: () => Plan<T>) => Promise<T>
  /** Resolves when everything asked for so far is committed or refused; takes nothing more. */
  end: () => Promise<void>
}

/** Writes of one turn of the event loop share a transaction, and so one wait for the disk. */
export function createGroupCommit(connection: SqliteConnection): GroupCommit {
  const { raw } = connection
  const begin = raw.prepare('begin immediate')
  const commit = raw.prepare('commit')
  const rollback = raw.prepare('rollback')
  const savepoint = raw.prepare('savepoint job')
  const release = raw.prepare('release job')
  const undo = raw.prepare('rollback to job')

  const queue: Job[] = []
  let scheduled = false
  /** That many jobs at the head get a transaction each, because together they failed. */
  let single = 0
  /** That many jobs at the head can fail by themselves; behind them a failure undoes its batch. */
  let careful = 0
  let busySince: number | undefined
  /** Set when a step failed in a way that takes its whole transaction along. */
  let spoilt: unknown
  /** Set when a job without a savepoint failed, and with one would have failed alone. */
  let isOwnFault = false
  let ended: (() => void) | undefined

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
    isOwnFault = false
    const answers: (() => void)[] = []
    try {
      begin.run()
      busySince = undefined
      runBatch(answers)
      commit.run()
    } catch (error) {
      recover(error, answers.length)
      return
    }
    queue.splice(0, answers.length)
    single = Math.max(0, single - answers.length)
    careful = Math.max(0, careful - answers.length)
    for (const answer of answers) answer()
    schedule()
  }

  function runBatch(answers: (() => void)[]): void {
    const limit = single > 0 ? 1 : MAX_BATCH
    const deadline = performance.now() + MAX_BATCH_MS
    const run = careful > 0 ? runJob : runBoldly
    for (const job of queue) {
      answers.push(run(job))
      if (answers.length === limit || performance.now() > deadline) return
    }
  }

  /** Savepoints cost more than seldom running a batch again, so there is none while all goes well. */
  function runBoldly({ plan, resolve }: Job): () => void {
    spoilt = undefined
    try {
      const value = drive(plan(), runStep)
      return () => resolve(value)
    } catch (error) {
      isOwnFault = spoilt === undefined && raw.isTransaction && !isStorageFull(error)
      throw spoilt ?? error
    }
  }

  /** The returned function answers the caller, once the batch is safe. */
  function runJob({ plan, resolve, reject }: Job): () => void {
    spoilt = undefined
    savepoint.run()
    try {
      const value = drive(plan(), runStep)
      release.run()
      return () => resolve(value)
    } catch (error) {
      if (spoilt !== undefined || !raw.isTransaction || isStorageFull(error)) throw spoilt ?? error
      undo.run()
      release.run()
      return () => reject(error)
    }
  }

  function runStep(step: Step): Rows {
    try {
      return connection.run(step)
    } catch (error) {
      if (isStorageFull(error) || !raw.isTransaction) spoilt = error
      throw fromSqlite(error)
    }
  }

  /** Nothing of the batch is stored. Only the job at fault may fail, so each is tried by itself. */
  function recover(error: unknown, done: number): void {
    if (raw.isTransaction) rollback.run()
    if (isBusy(error)) {
      waitForTurn(error)
      return
    }
    if (done === 0 || single > 0) {
      single = Math.max(0, single - 1)
      queue.shift()?.reject(fromSqlite(error))
    } else if (isOwnFault) careful = CAREFUL_JOBS
    else single = done + 1
    schedule()
  }

  function waitForTurn(error: unknown): void {
    busySince ??= performance.now()
    if (performance.now() - busySince > MAX_BUSY_MS) {
      for (const { reject } of queue.splice(0)) reject(fromSqlite(error))
    }
    schedule(BUSY_TIMEOUT_MS)
  }

  return {
    write: <T>(plan: () => Plan<T>) =>
      new Promise<T>((resolve, reject) => {
        if (ended !== undefined) throw new StorageUnavailable()
        queue.push({ plan, resolve: resolve as Job['resolve'], reject })
        schedule()
      }),
    end: () =>
      new Promise((resolve) => {
        ended = resolve
        schedule()
      })
  }
}
