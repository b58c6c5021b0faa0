import { type LockHolder, thisProcess } from './session-lock.ts'
import { query, type Transaction } from './transaction.ts'

/** PostgreSQL cuts longer names of sessions. */
const MAX_NAME = 63
const NAME = /^nonet (\d+)@(\S*) (\d+)$/

/** The name of a session that waits for a lock or has it: it tells others which process it is of. */
export function sessionName({ pid, host, startedAt } = thisProcess()): string {
  const start = `nonet ${pid}@`
  const end = ` ${startedAt}`
  const plainHost = host.replaceAll(/[^\w.-]/g, '_')
  return `${start}${plainHost.slice(0, MAX_NAME - start.length - end.length)}${end}`
}

/** Undefined for sessions of other programs. */
export function processOf(name: string): Omit<LockHolder, 'isThisProcess'> | undefined {
  const [, pid, host, startedAt] = NAME.exec(name) ?? []
  if (pid === undefined || host === undefined) return undefined
  return { pid: Number(pid), host, startedAt: Number(startedAt) }
}

/** SQL of the key of a lock on the tables of the current schema; `lockKey` is its argument. */
const KEY = 'hashtextextended(current_schema() || ?, 0)'
const IS_HOLDER = `locks.locktype = 'advisory' and locks.granted and locks.objsubid = 1
  and locks.database = (select oid from pg_database where datname = current_database())
  and (locks.classid::bigint << 32 | locks.objid::bigint) = ${KEY}`
const SESSIONS = `pg_locks locks join pg_stat_activity sessions on sessions.pid = locks.pid
  where ${IS_HOLDER}`

/** Other than those of `lockUntilCommit`. */
function lockKey(name: string): string {
  return ` session lock ${name}`
}

export interface LockAttempt {
  isLocked: boolean
  /** Of the process of the server for this session. */
  pid: number
}

/** The session of the connection keeps the lock until its end. */
export function* tryLock(name: string): Transaction<LockAttempt> {
  const [row] = yield* query<{ locked: number; pid: number }>(
    `select pg_try_advisory_lock(${KEY}) as locked, pg_backend_pid() as pid`,
    lockKey(name)
  )
  return { isLocked: row?.locked === 1, pid: row?.pid ?? 0 }
}

export interface LockSession {
  pid: number
  name: string
}

export function* findLockSession(name: string): Transaction<LockSession | undefined> {
  const [row] = yield* query<LockSession>(
    `select sessions.pid, sessions.application_name as name from ${SESSIONS}`,
    lockKey(name)
  )
  return row
}

/**
 * Ends the session with the lock if it was silent for `silentMs`, by the clock of the server,
 * or if it is `pid`: the server cannot tell a paused process from an idle one, and notices a lost
 * network after hours. A user may end its own sessions; those of other users are not ended.
 * Resolves to whether one was ended.
 */
export function* endSilentSession(
  name: string,
  silentMs: number,
  pid: number
): Transaction<boolean> {
  const ended = yield* query(
    `select pg_terminate_backend(sessions.pid) from ${SESSIONS}
       and sessions.usename = current_user and (sessions.pid = ?
       or sessions.state_change < clock_timestamp() - ? * interval '1 millisecond')`,
    ...[lockKey(name), pid, silentMs]
  )
  return ended.length > 0
}
