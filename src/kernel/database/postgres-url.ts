import { UserError } from '../errors.ts'

const CONNECT_TIMEOUT_MS = 5_000
/** Shorter than for writes, because all reads share a connection and wait for each other. */
const READ_TIMEOUT_MS = 10_000
const WRITE_TIMEOUT_MS = 30_000

/** Modes that the driver treats like `verify-full`; it prints a warning of eight lines for them. */
const VERIFYING_MODES = /([?&]sslmode=)(?:prefer|require|verify-ca)(?=[&#]|$)/g
const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']

export interface PostgresTimeouts {
  connectMs: number
  readMs: number
  writeMs: number
}

/** `connect_timeout` (seconds) and `statement_timeout` (ms) of the URL replace the defaults. */
export function timeoutsOf(url: string): PostgresTimeouts {
  const statementMs = numberAt(url, 'statement_timeout')
  return {
    connectMs: numberAt(url, 'connect_timeout') * 1000 || CONNECT_TIMEOUT_MS,
    readMs: statementMs || READ_TIMEOUT_MS,
    writeMs: statementMs || WRITE_TIMEOUT_MS
  }
}

/** 0 if it is missing. */
function numberAt(url: string, name: string): number {
  return Number(new RegExp(`[?&]${name}=(\\d{1,6})(?=[&#]|$)`).exec(url)?.[1] ?? 0)
}

/** The URL for the driver, which takes any unknown `sslmode` for `verify-full`. */
export function driverUrl(url: string): string {
  for (const [, mode = ''] of url.matchAll(/[?&]sslmode=([^&#]*)/g)) {
    if (SSL_MODES.includes(mode)) continue
    throw new UserError(
      `Cannot use the database ${redactUrl(url)}: sslmode=${mode} is unknown; use ` +
        'disable, require, verify-full or no-verify'
    )
  }
  return url.includes('uselibpqcompat=') ? url : url.replace(VERIFYING_MODES, '$1verify-full')
}

/** For messages: server and database without user, password and options. */
export function redactUrl(database: string): string {
  const url = URL.parse(database) ?? URL.parse(database.replace('@/', '@localhost/'))
  if (url === null) return 'with an invalid URL'
  const host = url.searchParams.get('host') ?? url.host.replaceAll(/%2f/gi, '/')
  return `${host}${url.pathname}`
}
