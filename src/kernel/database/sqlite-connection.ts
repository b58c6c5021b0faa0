import { closeSync, existsSync, openSync } from 'node:fs'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { createCache } from '../cache.ts'
import { explainFileErrors } from './sqlite-errors.ts'
import type { Rows, SqlStep, SqlValue } from './transaction.ts'

const MAX_STATEMENTS = 300
/** The write-ahead log is truncated to this size after a checkpoint. */
const LOG_KEPT_BYTES = 64 * 1024 * 1024
/** Waiting for a lock blocks the event loop, so it is short and the write is repeated. */
export const BUSY_TIMEOUT_MS = 20

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

/** The file is created if it is missing. */
export function connectSqlite(file: string, { durable }: SqliteOptions): SqliteConnection {
  return connect(file, {}, [
    'pragma journal_mode = wal',
    `pragma synchronous = ${durable ? 'full' : 'off'}`,
    'pragma foreign_keys = on',
    `pragma journal_size_limit = ${LOG_KEPT_BYTES}`
  ])
}

/** Never writes to the file, not even its log when it is closed as the last connection. */
export function connectForReading(file: string): SqliteConnection {
  return connect(file, { readOnly: true }, [])
}

/** Reads without any space on the disk; other connections are locked out. */
export function connectWithoutSpace(file: string): SqliteConnection {
  return connect(file, {}, [
    'pragma locking_mode = exclusive',
    'pragma query_only = on',
    'select count(*) from sqlite_schema'
  ])
}

function connect(
  file: string,
  options: { readOnly?: true },
  setup: readonly string[]
): SqliteConnection {
  return explainFileErrors(file, () => {
    if (options.readOnly === undefined) createPrivateFile(file)
    const { DatabaseSync } = loadSqlite()
    const raw = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, ...options })
    try {
      for (const sql of setup) raw.exec(sql)
      return describeConnection(raw)
    } catch (error) {
      raw.close()
      throw error
    }
  })
}

/** SQLite gives its other files the mode of this one. */
export function createPrivateFile(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
}

function describeConnection(raw: DatabaseSync): SqliteConnection {
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
