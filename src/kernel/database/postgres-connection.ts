import pg from 'pg'
import { StorageFull, StorageUnavailable, UniqueViolation } from './errors.ts'
import { inUseLockKey } from './in-use-lock.ts'

const CONNECT_TIMEOUT_MS = 5_000
/** Shorter than for writes, because all reads share a connection and wait for each other. */
const READ_TIMEOUT_MS = 10_000
const WRITE_TIMEOUT_MS = 30_000
/** A server that has not even reported a statement timeout by then counts as disconnected. */
const SILENCE_TIMEOUT_MS = 35_000
const IDLE_TRANSACTION_TIMEOUT_MS = 60_000

/** Server and schema of one service's tables. */
export interface PostgresLocation {
  url: string
  schema: string
  /** Whether commits wait for the disk. */
  durable: boolean
}

const { builtins } = pg.types
const NUMBERS: readonly number[] = [
  ...[builtins.INT2, builtins.INT4, builtins.INT8],
  ...[builtins.FLOAT4, builtins.FLOAT8, builtins.NUMERIC]
]

/** Column values as SQLite returns them: numbers, bytes, and strings for other types. */
export const PLAIN_TYPES: pg.CustomTypesConfig = {
  getTypeParser(id: number, format?: string) {
    if (format === 'binary') return pg.types.getTypeParser(id, 'binary')
    if (NUMBERS.includes(id)) return Number
    if (id === builtins.BOOL) return (text: string) => (text === 't' ? 1 : 0)
    if (id === builtins.BYTEA) return pg.types.getTypeParser(builtins.BYTEA, 'text')
    return (text: string) => text
  }
}

function clientOptions({ url }: Pick<PostgresLocation, 'url'>): pg.ClientConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'nonet',
    types: PLAIN_TYPES
  }
}

/** A connection for a task at startup or for a command; the caller closes it. */
export async function connectPostgres(location: Pick<PostgresLocation, 'url'>): Promise<pg.Client> {
  const client = new pg.Client(clientOptions(location))
  // A query that is running rejects by itself if the connection is lost.
  client.on('error', ignoreConnectionLoss)
  await client.connect()
  return client
}

/** A lost idle connection is not an error: it is replaced when it is needed. */
export function ignoreConnectionLoss(): void {}

/** For connections that serve requests. */
export function pooledClientOptions(location: PostgresLocation): pg.ClientConfig {
  return { ...clientOptions(location), pipeline: true, query_timeout: SILENCE_TIMEOUT_MS }
}

export function readerSetup({ schema }: PostgresLocation): string {
  return [...sessionSetup(schema, READ_TIMEOUT_MS), 'set default_transaction_read_only to on'].join(
    '; '
  )
}

export function writerSetup({ schema, durable }: PostgresLocation): string {
  return [
    ...sessionSetup(schema, WRITE_TIMEOUT_MS),
    `set idle_in_transaction_session_timeout to ${IDLE_TRANSACTION_TIMEOUT_MS}`,
    "set default_transaction_isolation to 'serializable'",
    // A sequential scan makes serializable transactions conflict on the whole table.
    'set enable_seqscan to off',
    ...(durable ? [] : ['set synchronous_commit to off'])
  ].join('; ')
}

function sessionSetup(schema: string, timeoutMs: number): string[] {
  return [
    `set search_path to "${schema}"`,
    `set statement_timeout to ${timeoutMs}`,
    // Tells `nonet restore` that the tables are in use.
    `select pg_advisory_lock_shared(${inUseLockKey(schema)})`
  ]
}

/** Whether the transaction conflicted with another one, so that a retry may succeed. */
export function isSerializationFailure(error: unknown): boolean {
  return ['40001', '40P01'].includes(stateOf(error))
}

/** Maps driver errors to errors common to both engines; others are returned unchanged. */
export function translatePostgresError(error: unknown): unknown {
  const state = stateOf(error)
  if (state === '23505') return new UniqueViolation((error as Error).message, { cause: error })
  if (state === '53100') return new StorageFull({ cause: error })
  return isUnavailable(error, state) ? new StorageUnavailable({ cause: error }) : error
}

/** SQLSTATE classes: 08 connection, 53 resources, 57 shutdown; 25006 is a read-only standby. */
function isUnavailable(error: unknown, state: string): boolean {
  if (state === '') return isLostConnection(error)
  return /^(08|53|57)/.test(state) || state === '25006' || isSerializationFailure(error)
}

/** Errors of the driver have no SQLSTATE: they are lost connections, or defects of nonet. */
function isLostConnection(error: unknown): boolean {
  return error instanceof Error && !(error instanceof TypeError || error instanceof RangeError)
}

function stateOf(error: unknown): string {
  return error instanceof pg.DatabaseError ? (error.code ?? '') : ''
}
