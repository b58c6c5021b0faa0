import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { createCache } from '../cache.ts'
import { StorageFull, StorageUnavailable, UniqueViolation } from './errors.ts'
import type { Rows, SqlStep, SqlValue } from './transaction.ts'

const MAX_STATEMENTS = 300
/** The write-ahead log is truncated to this size after a checkpoint. */
const LOG_KEPT_BYTES = 64 * 1024 * 1024
/** Waiting for a lock blocks the event loop, so it is short and the write is repeated. */
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
  /** Whether commits wait for the disk; false for temporary data. */
  durable: boolean
}

/** Suppresses the warning that the module is experimental, which Node 22 prints on load. */
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

/** Node 22 binds bytes with a null pointer as null, which an empty array may have. */
function bindable(args: readonly SqlValue[]): readonly SqlValue[] {
  return args.some(isEmptyBytes) ? args.map((one) => (isEmptyBytes(one) ? EMPTY : one)) : args
}

function isEmptyBytes(argument: SqlValue): boolean {
  return argument instanceof Uint8Array && argument.length === 0
}

/** Maps driver errors to errors common to both engines; others are returned unchanged. */
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

/** A full disk is reported by one of two codes, depending on which file could not grow. */
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
