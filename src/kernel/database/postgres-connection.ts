import { Socket } from 'node:net'
import pg from 'pg'
import { StorageFull, StorageUnavailable, UniqueViolation } from './errors.ts'
import { inUseLockKey } from './in-use-lock.ts'
import { refusalOf } from './postgres-refusal.ts'
import { driverUrl, timeoutsOf } from './postgres-url.ts'

/** The server ends a statement this long before the client gives up the whole connection. */
const LONGEST_MARGIN_MS = 500
const IDLE_TRANSACTION_TIMEOUT_MS = 60_000

/** Errors without a code: of the pool if all connections are busy, of both if a new one takes too long. */
const CONNECTION_TIMEOUT =
  /^(timeout exceeded when trying to connect|Connection terminated due to connection timeout|timeout expired)$/
/** The timers of a process that is not paused run this late at most. */
const LATEST_MS = 250

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
const PARSERS = new Map<number, (text: string) => unknown>([
  ...NUMBERS.map((id) => [id, Number] as const),
  [builtins.BOOL, (text) => (text === 't' ? 1 : 0)],
  [builtins.BYTEA, pg.types.getTypeParser(builtins.BYTEA, 'text')]
])
const asText = (text: string) => text

/** Column values as SQLite returns them: numbers, bytes, and strings for other types. */
export const PLAIN_TYPES: pg.CustomTypesConfig = {
  getTypeParser(id: number, format?: string) {
    if (format === 'binary') return pg.types.getTypeParser(id, 'binary')
    return PARSERS.get(id) ?? asText
  }
}

/** Sockets of connections that may have to be cut: a server that hangs never closes them. */
export type Sockets = Set<Socket>

interface ClientOptions extends pg.ClientConfig {
  sockets?: Sockets
}

/** Closes its socket if it cannot connect: the driver leaves it open after some errors. */
export class PostgresClient extends pg.Client {
  readonly #socket: Socket

  constructor({ sockets, ...options }: ClientOptions = {}) {
    const socket = new Socket()
    super({ ...options, stream: () => socket })
    this.#socket = socket
    sockets?.add(socket)
    socket.once('close', () => sockets?.delete(socket))
    // A query that is running rejects by itself if the connection is lost.
    this.on('error', ignoreConnectionLoss)
  }

  override connect(): Promise<pg.Client>
  override connect(callback: (error: Error) => void): void
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
    if (callback === undefined) return super.connect().catch((error) => this.#fail(error))
    super.connect((error: Error) => {
      if (error) this.cut()
      callback(error)
    })
    return undefined
  }

  /** Closes the connection without waiting for the server. */
  cut(): void {
    this.#socket.destroy()
  }

  #fail(error: unknown): never {
    this.cut()
    throw error
  }
}

/** Connects and runs the statements of `setup`; the connection is closed if one fails. */
export async function openClient(options: ClientOptions, setup: string): Promise<PostgresClient> {
  const client = await connectAgainAfterPause(options)
  try {
    await client.query(setup)
    return client
  } catch (error) {
    client.cut()
    throw error
  }
}

async function connectAgainAfterPause(
  options: ClientOptions,
  create = () => new PostgresClient(options)
): Promise<PostgresClient> {
  for (;;) {
    const began = performance.now()
    const client = create()
    try {
      await client.connect()
      return client
    } catch (error) {
      const { connectionTimeoutMillis = 0 } = options
      if (!isConnectionTimeout(error) || !wasPaused(began, connectionTimeoutMillis)) throw error
    }
  }
}

export function isConnectionTimeout(error: unknown): boolean {
  return error instanceof Error && CONNECTION_TIMEOUT.test(error.message)
}

/**
 * Whether a timeout that began then ended late: this process was paused, and its timers ran before
 * it read the responses of the server.
 */
export function wasPaused(began: number, timeoutMs: number): boolean {
  return performance.now() - began > timeoutMs + LATEST_MS
}

function clientOptions({ url }: Pick<PostgresLocation, 'url'>): pg.ClientConfig {
  return {
    connectionString: driverUrl(url),
    connectionTimeoutMillis: timeoutsOf(url).connectMs,
    keepAlive: true,
    application_name: 'nonet',
    types: PLAIN_TYPES
  }
}

/** A connection for a task at startup or for a command; the caller closes it. */
export async function connectPostgres({
  url
}: Pick<PostgresLocation, 'url'>): Promise<PostgresClient> {
  let client: PostgresClient | undefined
  try {
    const options = clientOptions({ url })
    return await connectAgainAfterPause(options, () => {
      client = new PostgresClient(options)
      return client
    })
  } catch (cause) {
    const { user, database, password } = client ?? {}
    throw refusalOf(cause, { url, user, database, hasPassword: Boolean(password) })
  }
}

/** A lost idle connection is not an error: it is replaced when it is needed. */
export function ignoreConnectionLoss(): void {}

/** For connections that serve requests; `query_timeout` closes one whose server is silent. */
export function readerOptions(location: PostgresLocation, sockets: Sockets): ClientOptions {
  const { readMs } = timeoutsOf(location.url)
  return { ...clientOptions(location), pipeline: true, query_timeout: readMs, sockets }
}

export function writerOptions(location: PostgresLocation, sockets: Sockets): ClientOptions {
  const { writeMs } = timeoutsOf(location.url)
  return { ...clientOptions(location), pipeline: true, query_timeout: writeMs, sockets }
}

export function readerSetup({ schema, url }: PostgresLocation): string {
  return [
    ...sessionSetup(schema, timeoutsOf(url).readMs),
    'set default_transaction_read_only to on'
  ].join('; ')
}

export function writerSetup({ schema, durable, url }: PostgresLocation): string {
  return [
    ...sessionSetup(schema, timeoutsOf(url).writeMs),
    `set idle_in_transaction_session_timeout to ${IDLE_TRANSACTION_TIMEOUT_MS}`,
    "set default_transaction_isolation to 'serializable'",
    // A sequential scan makes serializable transactions conflict on the whole table.
    'set enable_seqscan to off',
    ...(durable ? [] : ['set synchronous_commit to off'])
  ].join('; ')
}

function sessionSetup(schema: string, timeoutMs: number): string[] {
  const statementMs = timeoutMs - Math.min(LONGEST_MARGIN_MS, Math.floor(timeoutMs / 10))
  return [
    `set search_path to "${schema}"`,
    `set statement_timeout to ${statementMs}`,
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

/** Read-only standby, rights taken away; a pause of this process within a transaction. */
const NOT_POSSIBLE = ['25006', '42501', '25P03']

/** SQLSTATE classes: 08 connection, 53 resources, 57 shutdown. */
function isUnavailable(error: unknown, state: string): boolean {
  if (state === '') return isLostConnection(error)
  return /^(08|53|57)/.test(state) || NOT_POSSIBLE.includes(state) || isSerializationFailure(error)
}

/** Errors of the driver have no SQLSTATE: they are lost connections, or defects of nonet. */
function isLostConnection(error: unknown): boolean {
  return error instanceof Error && !(error instanceof TypeError || error instanceof RangeError)
}

function stateOf(error: unknown): string {
  return error instanceof pg.DatabaseError ? (error.code ?? '') : ''
}
