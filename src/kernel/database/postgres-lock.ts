import { createLoopPause } from '../loop-pause.ts'
import { createLockLease } from './lock-lease.ts'
import {
  endSilentSession,
  findLockSession,
  processOf,
  sessionName,
  tryLock
} from './lock-sessions.ts'
import type { NotificationChannel } from './notification-channel.ts'
import {
  openClient,
  type PostgresClient,
  type PostgresLocation,
  readerOptions,
  type Sockets
} from './postgres-connection.ts'
import { runAsync } from './run-transaction.ts'
import {
  type LockHolder,
  type LockListener,
  type SessionLock,
  thisProcess
} from './session-lock.ts'
import { createStatementCache } from './statement-text.ts'
import type { Transaction } from './transaction.ts'

export interface LockTiming {
  /** Pause between two statements of a session, whether it waits for the lock or has it. */
  pauseMs: number
  /** A server that is silent for longer is not waited for. */
  timeoutMs: number
  /** How long this process has the lock after its last successful statement. */
  validMs: number
  /** How long others wait for a statement of the holder before they end its session. */
  silentMs: number
}

/**
 * `validMs` runs from before a statement and `silentMs` from its end, so a process without a
 * connection stops its work before another one can have the lock.
 */
const TIMING: LockTiming = { pauseMs: 2_000, timeoutMs: 5_000, validMs: 14_000, silentMs: 18_000 }
const RETRY_MS = 250
const END_TIMEOUT_MS = 1_000

export interface LockContext {
  location: PostgresLocation
  sockets: Sockets
  channel: NotificationChannel
}

/**
 * An advisory lock of a session of its own: PostgreSQL releases it at once when the process ends.
 * A holder that loses its connection takes the lock again if no other process was faster, so that
 * a restart of the server does not interrupt its work.
 */
export function openPostgresLock(
  { location, sockets, channel }: LockContext,
  name: string,
  listener: LockListener,
  timing: LockTiming = TIMING
): SessionLock {
  const statementFor = createStatementCache()
  const topic = `lock:${name}`
  const pause = createLoopPause()
  const lease = createLockLease(timing.validMs, tell, () => client?.cut())
  let client: PostgresClient | undefined
  /** The last session of this process that had the lock; 0 if another process had it since. */
  let session = 0
  let seen: LockHolder | undefined
  /** Name of the session of another process that has the lock. */
  let otherName = ''
  let isConnected = false
  let isStopped = false

  function tell(isHeld: boolean): void {
    if (!isStopped) listener(isHeld)
  }

  function run<T>(connected: PostgresClient, transaction: () => Transaction<T>): Promise<T> {
    return runAsync(transaction(), async ({ sql, args }) => {
      const statement = { ...statementFor(sql), values: [...args] }
      return (await connected.query(statement)).rows
    })
  }

  /** The next pause; undefined if the lock is that of this session now. */
  async function takeLock(connected: PostgresClient): Promise<number | undefined> {
    const sentAt = performance.now()
    const { isLocked, pid } = await run(connected, () => tryLock(name))
    if (isLocked) {
      session = pid
      prove(sentAt)
      return undefined
    }
    const other = await run(connected, () => findLockSession(name))
    if (other === undefined) return RETRY_MS
    if (other.pid !== session) {
      session = 0
      const isNew = other.name !== otherName
      otherName = other.name
      const holder = processOf(other.name)
      seen = holder && { ...holder, isThisProcess: false }
      if (!lease.end() && isNew) tell(false)
    }
    const isEnded = await run(connected, () => endSilentSession(name, timing.silentMs, session))
    return isEnded ? RETRY_MS : timing.pauseMs
  }

  function prove(sentAt: number): void {
    seen = thisProcess()
    otherName = ''
    if (!lease.renew(sentAt)) throw new Error('This process was paused')
  }

  /** Until the connection is lost, or this process was paused. */
  async function useSession(connected: PostgresClient): Promise<void> {
    let isLocked = false
    while (!isStopped) {
      let pauseMs: number | undefined
      if (isLocked) {
        const sentAt = performance.now()
        await connected.query('select 1')
        prove(sentAt)
      } else {
        pauseMs = await takeLock(connected)
        isLocked = pauseMs === undefined
      }
      await pause.wait(pauseMs ?? timing.pauseMs)
    }
  }

  async function connect(): Promise<PostgresClient> {
    const options = { ...readerOptions(location, sockets), query_timeout: timing.timeoutMs }
    // Not by an option, because the URL of the database may have another name.
    const setup = `set search_path to "${location.schema}"; set application_name to '${sessionName()}'`
    const connected = await openClient(options, setup)
    isConnected = true
    return connected.on('end', () => {
      isConnected = false
      pause.wake()
    })
  }

  async function compete(): Promise<void> {
    let errors = 0
    while (!isStopped) {
      try {
        client = await connect()
        errors = 0
        await useSession(client)
        await client.end()
      } catch {
        // The server is not available, or the connection is lost: the next session tries again.
        client?.cut()
        await pause.wait(Math.min(RETRY_MS * 2 ** errors++, timing.pauseMs))
      }
    }
  }

  const unsubscribe = channel.subscribe((published) => {
    if (published === topic) pause.wake()
  })
  const competing = compete()

  return {
    isHeld: () => isConnected && lease.isValid(),
    holder: () => seen,
    async stop() {
      if (isStopped) return
      isStopped = true
      unsubscribe()
      const wasHeld = lease.isValid()
      lease.end()
      pause.wake()
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, END_TIMEOUT_MS)
      })
      await Promise.race([competing, late])
      clearTimeout(timer)
      client?.cut()
      if (wasHeld) channel.publish(topic)
    }
  }
}
