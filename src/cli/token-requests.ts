import { parseDuration, parseExpiry } from '../kernel/credentials/expiry.ts'
import type { CreatedToken, ListedToken } from '../kernel/credentials/listed-token.ts'
import type { CredentialRules } from '../kernel/credentials/rules.ts'
import { scopesProblem } from '../kernel/credentials/token-format.ts'
import { UserError } from '../kernel/errors.ts'
import type { ConsoleEndpoint } from '../kernel/service.ts'
import { closestMatch } from './closest-match.ts'
import { type Flags, UsageError } from './command.ts'

interface Output {
  stdout: string
  stderr: string
}

/** Sends a request to the console and resolves to what is printed. */
type Send = (endpoint: ConsoleEndpoint) => Promise<Output>

const BAD_REQUEST = 400

/** The body of a request for a new token. Throws `UsageError` if a flag has a wrong value. */
export function readCreation(flags: Flags, rules: CredentialRules): object {
  const { name, expires, replace, overlap } = flags
  const scopes = scopesOf(flags.scope, rules)
  if (typeof expires === 'string' && parseExpiry(expires, Date.now()) === undefined) {
    throw new UsageError(
      `--expires ${expires}: use a duration such as 30d or 12h, or a later date such as 2030-01-31`
    )
  }
  if (overlap !== undefined && replace === undefined) {
    throw new UsageError('--overlap needs --replace <id>')
  }
  if (typeof overlap === 'string' && parseDuration(overlap) === undefined) {
    throw new UsageError(`--overlap ${overlap}: use a duration such as 1h or 2d`)
  }
  const own = Object.entries(flags).filter(([flag]) => Object.hasOwn(rules.flags, flag))
  const [bound] = own
  if (replace !== undefined && bound !== undefined) {
    throw new UsageError(`--${bound[0]} cannot be combined with --replace`)
  }
  return { name, scopes, expires, replaces: replace, overlap, flags: Object.fromEntries(own) }
}

function scopesOf(given: Flags[string], rules: CredentialRules): readonly string[] | undefined {
  if (!Array.isArray(given)) return undefined
  const known = Object.keys(rules.scopes)
  const scopes = given.flatMap((text) => String(text).split(',')).map((scope) => scope.trim())
  const unknown = scopes.find((scope) => !known.includes(scope))
  if (unknown !== undefined) {
    const meant = closestMatch(unknown, known)
    throw new UsageError(
      `Unknown scope ${unknown}; ${meant === undefined ? `the scopes are ${known.join(', ')}` : `did you mean ${meant}?`}`
    )
  }
  const problem = scopesProblem(rules, scopes)
  if (problem !== undefined) throw new UsageError(problem)
  return scopes
}

/** The secret alone is on standard output, so that a script can keep it. */
export function creation(service: string, body: object, isJson: boolean): Send {
  return async (endpoint) => {
    const created = await request<CreatedToken>(endpoint, 'POST', '/tokens', body)
    if (isJson) return { stdout: JSON.stringify(created), stderr: '' }
    const { secret, token } = created
    return {
      stdout: secret,
      stderr:
        `Created the token ${token.id} of ${service}: ${token.scopes.join(', ')}; ` +
        `bound to ${token.boundTo.join(', ')}; ${expiryOf(token)}\n` +
        'Keep the secret now: it is not stored and cannot be shown again\n'
    }
  }
}

function expiryOf({ expiresAt }: ListedToken): string {
  return expiresAt === null ? 'no end' : `expires ${shorten(expiresAt)}`
}

export function listing(service: string, isJson: boolean): Send {
  return async (endpoint) => {
    const response = await request<{ tokens: ListedToken[] }>(endpoint, 'GET', '/tokens')
    if (isJson) return { stdout: JSON.stringify(response), stderr: '' }
    const { tokens } = response
    const stdout = tokens.length === 0 ? `${service} has no tokens` : tableOf(tokens)
    return { stdout, stderr: '' }
  }
}

export function revocation(service: string, id: string, isJson: boolean): Send {
  return async (endpoint) => {
    const path = `/tokens/${encodeURIComponent(id)}`
    const response = await request<{ revoked: string }>(endpoint, 'DELETE', path)
    const sentence = `Revoked the token ${response.revoked} of ${service}`
    return { stdout: isJson ? JSON.stringify(response) : sentence, stderr: '' }
  }
}

async function request<T>(
  { url, headers }: ConsoleEndpoint,
  method: string,
  path: string,
  body?: object
): Promise<T> {
  const sent =
    body === undefined
      ? { headers }
      : {
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(body)
        }
  const response = await fetch(url + path, { method, ...sent })
  if (response.ok) return response.json() as Promise<T>
  const { message }: { message?: string } = await response.json().catch(() => ({}))
  const sentence = message ?? `The running nonet rejected the request: ${response.status}`
  throw response.status === BAD_REQUEST ? new UsageError(sentence) : new UserError(sentence)
}

const HEADINGS = [
  ...['ID', 'NAME', 'SCOPES', 'BOUND TO', 'CREATED', 'LAST USED', 'EXPIRES', 'STATE']
]

function tableOf(tokens: readonly ListedToken[]): string {
  const rows = [HEADINGS, ...tokens.map(cellsOf)]
  const widths = HEADINGS.map((_, column) =>
    Math.max(...rows.map((cells) => cells[column]?.length ?? 0))
  )
  return rows
    .map((cells) => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n')
}

function cellsOf(token: ListedToken): string[] {
  return [
    token.id,
    token.name || '-',
    token.scopes.join(','),
    token.boundTo.join(','),
    shorten(token.createdAt),
    token.usedAt === null ? 'never' : shorten(token.usedAt),
    token.expiresAt === null ? 'never' : shorten(token.expiresAt),
    token.state
  ]
}

/** Without milliseconds. */
function shorten(time: string): string {
  return time.replace(/\.\d+Z$/, 'Z')
}
