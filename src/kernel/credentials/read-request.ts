import { isObject } from '../json.ts'
import { TokenRequestInvalid } from './errors.ts'
import { parseDuration, parseExpiry } from './expiry.ts'
import type { CredentialRules } from './rules.ts'
import { scopesProblem } from './token-format.ts'

/** What an operator sends to create a token; what is undefined has a default. */
export interface TokenRequest {
  name?: string
  scopes?: readonly string[]
  expiresAt?: number
  replaces?: string
  overlapMs?: number
  /** Flags that bind the token to resources. */
  flags: Readonly<Record<string, string | boolean>>
}

const MAX_NAME_LENGTH = 100
const MAX_FLAG_LENGTH = 500
/** Lists show names in terminals, where these could write something else. */
const HIDDEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u
const FIELDS = ['name', 'scopes', 'expires', 'replaces', 'overlap', 'flags']

type Fields = Readonly<Record<string, unknown>>

/** Throws a sentence that names the wrong field. */
export function readTokenRequest(body: unknown, rules: CredentialRules, now: number): TokenRequest {
  const fields = body ?? {}
  if (!isObject(fields)) throw new TokenRequestInvalid('The body must be a JSON object')
  const unknown = Object.keys(fields).find((field) => !FIELDS.includes(field))
  if (unknown !== undefined) throw new TokenRequestInvalid(`Unknown field ${unknown}`)
  const { name, scopes, expires, replaces, overlap } = fields
  const flags = readFlags(fields.flags, rules)
  if (replaces === undefined && overlap !== undefined) {
    throw new TokenRequestInvalid('overlap needs replaces')
  }
  if (replaces !== undefined && Object.keys(flags).length > 0) {
    throw new TokenRequestInvalid('A token that replaces another is bound to the same resources')
  }
  return {
    flags,
    ...(name !== undefined && { name: readName(name) }),
    ...(scopes !== undefined && { scopes: readScopes(scopes, rules) }),
    ...(expires !== undefined && { expiresAt: readExpiry(expires, now) }),
    ...(replaces !== undefined && { replaces: readText(replaces, 'replaces') }),
    ...(overlap !== undefined && { overlapMs: readOverlap(overlap) })
  }
}

function readText(value: unknown, field: string): string {
  if (typeof value === 'string') return value
  throw new TokenRequestInvalid(`${field} must be text`)
}

function readName(value: unknown): string {
  const name = readText(value, 'name')
  if (name.length <= MAX_NAME_LENGTH && !HIDDEN.test(name)) return name
  throw new TokenRequestInvalid(
    `name must have at most ${MAX_NAME_LENGTH} characters and no control characters`
  )
}

function readScopes(value: unknown, rules: CredentialRules): readonly string[] {
  const known = Object.keys(rules.scopes)
  const isList = Array.isArray(value) && value.length > 0
  if (!isList || value.some((scope) => typeof scope !== 'string')) {
    throw new TokenRequestInvalid(`scopes must be a list of ${known.join(', ')}`)
  }
  const unknown = value.find((scope) => !known.includes(scope))
  if (unknown !== undefined) {
    throw new TokenRequestInvalid(`Unknown scope ${unknown}; the scopes are ${known.join(', ')}`)
  }
  const problem = scopesProblem(rules, value)
  if (problem !== undefined) throw new TokenRequestInvalid(problem)
  return known.filter((scope) => value.includes(scope))
}

function readExpiry(value: unknown, now: number): number {
  const expiresAt = typeof value === 'string' ? parseExpiry(value, now) : undefined
  if (expiresAt !== undefined) return expiresAt
  throw new TokenRequestInvalid(
    'expires must be a duration such as 30d or 12h, or a later date such as 2030-01-31 or 2030-01-31T12:00:00Z'
  )
}

function readOverlap(value: unknown): number {
  const overlap = typeof value === 'string' ? parseDuration(value) : undefined
  if (overlap !== undefined) return overlap
  throw new TokenRequestInvalid('overlap must be a duration such as 1h or 2d')
}

function readFlags(value: unknown, rules: CredentialRules): TokenRequest['flags'] {
  const flags: unknown = value ?? {}
  if (!isObject(flags)) throw new TokenRequestInvalid('flags must be an object')
  const wrong = Object.keys(flags).find((flag) => !isFlag(flags, flag, rules))
  if (wrong !== undefined) throw new TokenRequestInvalid(`Wrong flag ${wrong}`)
  return flags as TokenRequest['flags']
}

function isFlag(flags: Fields, flag: string, rules: CredentialRules): boolean {
  const value = flags[flag]
  if (!Object.hasOwn(rules.flags, flag) || typeof value !== rules.flags[flag]?.type) return false
  return typeof value !== 'string' || (value.length <= MAX_FLAG_LENGTH && !HIDDEN.test(value))
}
