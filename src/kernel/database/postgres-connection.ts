import pg from 'pg'
import { StorageFull, StorageUnavailable, UniqueViolation } from './errors.ts'
import { inUseLockKey } from './in-use-lock.ts'

const CONNECT_TIMEOUT_MS = 5_000
/** All reads share a connection, so that a long one holds up the others. */
const READ_TIMEOUT_MS = 10_000
const WRITE_TIMEOUT_MS = 30_000
/** When the server does not even say that time is up, the network has swallowed the connection. */
const SILENCE_TIMEOUT_MS = 35_000
const IDLE_TRANSACTION_TIMEOUT_MS = 60_000

/** Where one service's tables are. */
export interface PostgresLocation {
  url: string
  schema: string
  /** Without it a commit does not wait for the disk. */
  durable: boolean
}

const { builtins } = pg.types
const NUMBERS: readonly number[] = [
  ...[builtins.INT2, builtins.INT4, builtins.INT8],
  ...[builtins.FLOAT4, builtins.FLOAT8, builtins.NUMERIC]
]

/** As SQLite has it: numbers, bytes, and text for all the rest. */
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

/** A connection for one job at the start or for a command; the caller ends it. */
export async function connectPostgres(location: Pick<PostgresLocation, 'url'>): Promise<pg.Client> {
  const client = new pg.Client(clientOptions(location))
  // Whoever waits for an answer learns of a lost connection from that answer.
  client.on('error', ignoreConnectionLoss)
  await client.connect()
  return client
}

/** An idle connection that breaks is replaced when it is needed. */
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
    // Serializable transactions conflict over whole tables when they scan them.
    'set enable_seqscan to off',
    ...(durable ? [] : ['set synchronous_commit to off'])
  ].join('; ')
}

function sessionSetup(schema: string, timeoutMs: number): string[] {
  return [
    `set search_path to "${schema}"`,
    `set statement_timeout to ${timeoutMs}`,
    // Tells `nonet restore` that somebody is here.
    `select pg_advisory_lock_shared(${inUseLockKey(schema)})`
  ]
}

/** The transaction met another one; run again, it may well succeed. */
export function isSerializationFailure(error: unknown): boolean {
  return ['40001', '40P01'].includes(stateOf(error))
}

/** In the words of both engines; what has no such word stays what it is. */
export function translatePostgresError(error: unknown): unknown {
  const state = stateOf(error)
  if (state === '23505') return new UniqueViolation((error as Error).message, { cause: error })
  if (state === '53100') return new StorageFull({ cause: error })
  return isUnavailable(error, state) ? new StorageUnavailable({ cause: error }) : error
}

/** Classes 08, 53 and 57 are connections, resources and shutdowns; 25006 is a standby. */
function isUnavailable(error: unknown, state: string): boolean {
  if (state === '') return isLostConnection(error)
  return /^(08|53|57)/.test(state) || state === '25006' || isSerializationFailure(error)
}

/** The driver's own complaints have no state: they are about the connection, or our defects. */
function isLostConnection(error: unknown): boolean {
  return error instanceof Error && !(error instanceof TypeError || error instanceof RangeError)
}

function stateOf(error: unknown): string {
  return error instanceof pg.DatabaseError ? (error.code ?? '') : ''
}
