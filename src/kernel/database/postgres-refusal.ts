import { UserError } from '../errors.ts'
import { redactUrl, timeoutsOf } from './postgres-url.ts'

/** What is known about a connection, for messages. */
export interface PostgresAttempt {
  url: string
  user?: string | undefined
  database?: string | undefined
  hasPassword?: boolean
  /** Schema that was to be used. */
  schema?: string | undefined
}

interface Refusal {
  reason: string
  remedy: string
}

const CHECK_SERVER = 'start PostgreSQL, or correct host and port in its URL'
const UNTRUSTED =
  /^(SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|CERT_|ERR_TLS_CERT|HOSTNAME_MISMATCH|INVALID_CA)/

/** By SQLSTATE or, if the server was not reached, by the code of the system. */
const REMEDIES: Readonly<Record<string, string | ((attempt: PostgresAttempt) => string)>> = {
  '28P01': 'correct the user or the password in its URL',
  '28000':
    'choose another user in its URL, or add a line for this one to pg_hba.conf and reload PostgreSQL',
  '3D000': ({ database = 'name' }) =>
    `create it with createdb ${database}, or correct the name in its URL`,
  '53100': 'free space on the disk of PostgreSQL',
  '53300':
    'close other connections, or raise max_connections or the CONNECTION LIMIT of the user or database',
  '57P03': 'try again when PostgreSQL has started',
  '25006': 'use the primary server in its URL, because nonet writes',
  '42501': grantAdvice,
  // A schema that the user may not use is ignored.
  '3F000': grantAdvice,
  ERR_INVALID_URL:
    'write it as postgres://user:password@host:port/name, with %40 for @, %3A for : and %2F for / in the password',
  ECONNREFUSED: CHECK_SERVER,
  ECONNRESET: 'check that host and port in its URL are those of PostgreSQL',
  EHOSTUNREACH: CHECK_SERVER,
  ENETUNREACH: CHECK_SERVER,
  ENOTFOUND: 'correct the host name in its URL',
  EAI_AGAIN: 'correct the host name in its URL, or check the network'
}

/** One sentence: what PostgreSQL or the system says, and what to do about it. */
export function refusalOf(cause: unknown, attempt: PostgresAttempt): UserError {
  if (cause instanceof UserError) return cause
  const { reason, remedy } = explain(cause as NodeJS.ErrnoException, attempt)
  return new UserError(`Cannot use the database ${redactUrl(attempt.url)}: ${reason}; ${remedy}`, {
    cause
  })
}

/** Defects of nonet are returned unchanged. */
export function explainRefusal(error: unknown, attempt: PostgresAttempt): unknown {
  const isDefect = error instanceof TypeError || error instanceof RangeError
  return isDefect ? error : refusalOf(error, attempt)
}

/** Whether the server reported the error. */
export function isServerError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && 'severity' in error && 'code' in error
}

/** A sentence for an error of the database that no caller has explained; undefined for others. */
export function databaseSentence(error: unknown): string | undefined {
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  const isWrapped = code === 'STORAGE_UNAVAILABLE' || code === 'STORAGE_FULL'
  const origin = isWrapped && cause instanceof Error ? cause : error
  if (isServerError(origin)) return `The database reported: ${origin.message} (${origin.code})`
  return isWrapped ? `Cannot use the database: ${(origin as Error).message}` : undefined
}

function explain(cause: NodeJS.ErrnoException, attempt: PostgresAttempt): Refusal {
  const { message, code = '' } = cause
  // An `AggregateError` of the network has a code but no message.
  const reason = message || `${code} ${redactUrl(attempt.url)}`
  const remedy = REMEDIES[code]
  if (isPasswordMissing(cause, attempt)) return askForPassword(attempt)
  if (remedy !== undefined)
    return { reason, remedy: typeof remedy === 'string' ? remedy : remedy(attempt) }
  if (isServerError(cause)) return { reason, remedy: 'check its URL' }
  return explainDriverError(cause, attempt) ?? { reason, remedy: 'check its URL' }
}

/** Without a password the driver throws, or sends an empty one, by the method of authentication. */
function isPasswordMissing(
  { code, message }: NodeJS.ErrnoException,
  { hasPassword }: PostgresAttempt
): boolean {
  return hasPassword === false && (code === '28P01' || message.includes('client password'))
}

function askForPassword({ user }: PostgresAttempt): Refusal {
  const reason = `PostgreSQL requires a password for user "${user}"`
  const remedy = 'add it to the URL (postgres://user:password@host/name) or set it in PGPASSWORD'
  return { reason, remedy }
}

/** Errors of the driver and of TLS, which have no SQLSTATE. */
function explainDriverError(
  { message, code = '', syscall }: NodeJS.ErrnoException,
  { url }: PostgresAttempt
): Refusal | undefined {
  if (/timeout|timed out/i.test(message)) {
    const seconds = timeoutsOf(url).connectMs / 1000
    const reason = `PostgreSQL did not respond within ${seconds} s`
    return { reason, remedy: 'check host and port in its URL, and whether the server hangs' }
  }
  if (/does not support SSL/.test(message)) {
    const remedy = 'turn on ssl in PostgreSQL, or use sslmode=disable in its URL'
    return { reason: message, remedy }
  }
  if (UNTRUSTED.test(code)) {
    const remedy = 'set the file of its certificate authority with sslrootcert= in its URL'
    const [detail] = message.split(';')
    return { reason: `the certificate of PostgreSQL is not trusted (${detail})`, remedy }
  }
  if (message.startsWith('Connection terminated')) {
    const remedy = 'check that host and port in its URL are those of PostgreSQL'
    return { reason: 'the server closed the connection', remedy }
  }
  if (syscall === 'open') {
    const remedy = 'correct the file of sslrootcert, sslcert or sslkey in its URL'
    return { reason: message, remedy }
  }
  if (syscall === 'connect') {
    const remedy = 'start PostgreSQL, or correct the folder of its socket in its URL'
    return { reason: message, remedy }
  }
  return undefined
}

function grantAdvice({ schema, user }: PostgresAttempt): string {
  const where = schema === undefined ? 'its schemas' : `schema ${schema}`
  return `grant "${user}" all rights on ${where} and on all tables there, or use their owner in the URL`
}
