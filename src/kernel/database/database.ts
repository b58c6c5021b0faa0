import type { Availability } from './availability.ts'
import type { NotificationChannel } from './notification-channel.ts'
import type { SessionLocks } from './session-lock.ts'
import type { Transaction } from './transaction.ts'

export type Engine = 'sqlite' | 'postgres'

/**
 * The tables of one service: a file on SQLite, a schema on PostgreSQL. Numbers are returned as
 * numbers, booleans as 0 and 1, bytes as `Uint8Array`, and other types as strings.
 */
export interface Database extends SessionLocks {
  readonly engine: Engine
  /** Notifications between all processes that use these tables. */
  readonly channel: NotificationChannel
  /**
   * Reads the last committed state; on PostgreSQL that of each step's own time. Keep it short:
   * split a scan into several reads.
   */
  read: <T>(transaction: () => Transaction<T>) => Promise<T>
  /**
   * A number that differs after every commit, for results that are kept as long as no data changes.
   * Undefined on PostgreSQL, where other processes write too.
   */
  readonly version: (() => number) | undefined
  /** May share a commit with other writes. Resolves when durable, rejects with its own error. */
  write: <T>(transaction: () => Transaction<T>, options?: WriteOptions) => Promise<T>
  /** For probes: takes at most 2 s, and checks at most once per second. */
  unavailable: Availability
  close: () => Promise<void>
}

/** A database of one engine, without its check. */
export type TableAccess = Omit<Database, 'unavailable'>

export interface WriteOptions {
  /** Whether it deletes data: then it is also allowed while the disk is full. */
  frees?: boolean
  /**
   * PostgreSQL: each statement sees all that is committed before it, and there are no conflicts to
   * repeat. For transactions that begin with `lockUntilCommit`.
   */
  readsCommitted?: boolean
  /**
   * On PostgreSQL, milliseconds without a statement after which the server ends the transaction:
   * for one with a lock that all processes need, because this process may be paused.
   */
  maxIdleMs?: number
}

/**
 * SQL of one migration, for both engines or one string per engine. Strings that are sorted or
 * compared by range must be declared `collate "C"` on PostgreSQL, to be compared as on SQLite;
 * otherwise the order depends on the default collation of the database.
 */
export type Migration = string | Readonly<Record<Engine, string>>
