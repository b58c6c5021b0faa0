import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { createCache } from '../cache.ts'
import { StorageFull, StorageUnavailable, UniqueViolation } from './errors.ts'
import type { Rows, SqlStep, SqlValue } from './transaction.ts'

const MAX_STATEMENTS = 300
/** A burst may make the log longer; it is cut back to this. */
const LOG_KEPT_BYTES = 64 * 1024 * 1024
/** Waiting for another process blocks everything here, so it is short and repeated instead. */
export const BUSY_TIMEOUT_MS = 20

const BUSY = 5
const IO_ERROR = 10
const FULL = 13
const CONSTRAINT_PRIMARY_KEY = 1555
const CONSTRAINT_UNIQUE = 2067
const CONSTRAINT_ROWID = 2579

export interface SqliteConnection {
  readonly raw: DatabaseSync
  run: (step: SqlStep) => Rows
  close: () => void
}

export interface SqliteOptions {
  /** Without it a commit does not wait for the disk: for data that is thrown away anyway. */
  durable: boolean
}

/** The module carries a mark of being experimental on Node 22, which is no news to a user. */
export function loadSqlite(): typeof import('node:sqlite') {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return process.getBuiltinModule('node:sqlite')
  } finally {
    process.emitWarning = emitWarning
  }
}

export function connectSqlite(file: string, { durable }: SqliteOptions): SqliteConnection {
  const { DatabaseSync } = loadSqlite()
  const raw = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
  raw.exec(`
    pragma journal_mode = wal;
    pragma synchronous = ${durable ? 'full' : 'off'};
    pragma foreign_keys = on;
    pragma journal_size_limit = ${LOG_KEPT_BYTES};
  `)
  const statements = createCache<StatementSync>(MAX_STATEMENTS)
  const prepare = (sql: string) => raw.prepare(sql)
  return {
    raw,
    run: ({ sql, args }) => statements.getOrCreate(sql, prepare).all(...bindable(args)) as Rows,
    close: () => raw.close()
  }
}

const EMPTY = new Uint8Array(new ArrayBuffer(8), 0, 0)

/** Node 22 takes bytes without an address for null, and empty ones may have none. */
function bindable(args: readonly SqlValue[]): readonly SqlValue[] {
  return args.some(isEmptyBytes) ? args.map((one) => (isEmptyBytes(one) ? EMPTY : one)) : args
}

function isEmptyBytes(argument: SqlValue): boolean {
  return argument instanceof Uint8Array && argument.length === 0
}

/** In the words of both engines; what has no such word stays what it is. */
export function translateSqliteError(error: unknown): unknown {
  switch (codeOf(error)) {
    case CONSTRAINT_PRIMARY_KEY:
    case CONSTRAINT_UNIQUE:
    case CONSTRAINT_ROWID:
      return new UniqueViolation((error as Error).message, { cause: error })
  }
  if (isStorageFull(error)) return new StorageFull({ cause: error })
  return isBusy(error) ? new StorageUnavailable({ cause: error }) : error
}

/** A failed write says so in one of two ways, depending on which file could not grow. */
export function isStorageFull(error: unknown): boolean {
  const primary = codeOf(error) & 0xff
  return primary === FULL || primary === IO_ERROR
}

export function isBusy(error: unknown): boolean {
  return (codeOf(error) & 0xff) === BUSY
}

function codeOf(error: unknown): number {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0
}
