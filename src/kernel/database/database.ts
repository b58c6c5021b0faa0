import type { NotificationChannel } from './notification-channel.ts'
import type { Transaction } from './transaction.ts'

export type Engine = 'sqlite' | 'postgres'

/**
 * One service's tables: a file of its own on SQLite, a schema of its own on PostgreSQL. Numbers
 * come back as numbers, booleans as 0 and 1, bytes as `Uint8Array`, and everything else as text.
 */
export interface Database {
  readonly engine: Engine
  /** To the other processes on these tables, and from them. */
  readonly signals: NotificationChannel
  /**
   * Sees the last committed state; on PostgreSQL each step the last one of its own moment. Keep it
   * short: a scan is a loop of reads, not one.
   */
  read: <T>(plan: () => Transaction<T>) => Promise<T>
  /** Committed with its burst; resolves when durable, rejects with this plan's own error. */
  write: <T>(plan: () => Transaction<T>) => Promise<T>
  close: () => Promise<void>
}

/**
 * Statements of one step of the schema; the same text, or one for each engine. Text that is sorted
 * or compared by range is declared `collate "C"` on PostgreSQL, which is how SQLite compares;
 * otherwise the order depends on how somebody once created the database.
 */
export type Migration = string | Readonly<Record<Engine, string>>
