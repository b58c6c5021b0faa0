import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { ClientIp } from '../client-ip.ts'
import type { Database } from '../database/database.ts'
import type { Transaction } from '../database/transaction.ts'
import { createRateLimit } from '../rate-limit.ts'
import { TokenUnknown } from './errors.ts'
import { createSecret, digestOf } from './formats.ts'
import { createLastUses } from './last-uses.ts'
import { replaceToken, storeToken } from './new-token.ts'
import type { CredentialRules, Principal, TokenFacts, TokenFormat } from './rules.ts'
import {
  type FindToken,
  findByDigest,
  findById,
  listTokens,
  type PresentedToken,
  revokeToken
} from './table.ts'
import { endOf, factsOf, isValid } from './token-facts.ts'
import { findDigest, formatOf } from './token-format.ts'

/** Failed tokens of one address within a minute that get the usual error. */
const MAX_FAILED = 20
const WINDOW_MS = 60_000
const ID_BYTES = 8
const TOKEN_ID = /^[0-9a-f]{16}$/
const HOUR_MS = 3_600_000
export const DEFAULT_OVERLAP_MS = 24 * HOUR_MS

export interface NewTokenRequest {
  /** By default that of the token it replaces, or empty; so are the scopes and bindings. */
  name?: string | undefined
  scopes?: readonly string[] | undefined
  bindings?: readonly string[] | undefined
  /** In Unix milliseconds. By default the lifetime of the token it replaces, or no end. */
  expiresAt?: number | undefined
  /** Id of a valid token, which ends after `overlapMs` and never later than before. */
  replaces?: string | undefined
  overlapMs?: number | undefined
  /** Stores what the service has besides the row of the token, in the same transaction. */
  write?: ((id: string) => Transaction<void>) | undefined
}

/** The tokens of one service. */
export interface Credentials {
  readonly rules: CredentialRules
  /** The secret is not stored and cannot be shown again. */
  create: (request: NewTokenRequest) => Promise<{ secret: string; token: TokenFacts }>
  /** Oldest first. */
  list: () => Promise<TokenFacts[]>
  /** Whether there is such a token. */
  revoke: (id: string) => Promise<boolean>
  /** Who a token of this id stands for; undefined unless it is valid now. */
  find: (id: string) => Promise<Principal | undefined>
  /**
   * Reads the table at each call, so that all processes see a revocation at once, and writes
   * nothing. A valid token is accepted whatever happened before; of others, those beyond a number
   * per minute and client address get `retryAfter` in seconds. `find` may read more with the
   * token, which is judged in the same way.
   */
  authenticate: (
    request: IncomingMessage,
    presented: string | undefined,
    find?: FindToken
  ) => Promise<Principal | 'missing' | 'invalid' | { retryAfter: number }>
}

export interface CredentialsOptions {
  rules: CredentialRules
  database: Database
  clientIp: ClientIp
  now: () => Date
  warn: (text: string) => void
}

export function createCredentials(
  options: CredentialsOptions
): Credentials & { stop: () => Promise<void> } {
  const { rules, database, clientIp } = options
  const now = () => options.now().getTime()
  const countFailed = createRateLimit({ limit: MAX_FAILED, windowMs: WINDOW_MS }, options.now)
  const uses = createLastUses(database, options.warn)

  /** By the scopes of the request or of the token it replaces, which never change. */
  async function chooseFormat({ scopes, replaces }: NewTokenRequest): Promise<TokenFormat> {
    if (scopes !== undefined || replaces === undefined || rules.formats === undefined) {
      return formatOf(rules, scopes ?? [])
    }
    const replaced = await database.read(() => findById(replaces))
    if (replaced === undefined) throw new TokenUnknown(replaces)
    return formatOf(rules, JSON.parse(replaced.scopes))
  }

  return {
    rules,
    async create({ replaces, overlapMs = DEFAULT_OVERLAP_MS, write, ...request }) {
      if (replaces !== undefined && !TOKEN_ID.test(replaces)) throw new TokenUnknown(replaces)
      const format = await chooseFormat({ ...request, replaces })
      const secret = createSecret(format)
      const digest = digestOf(format, secret)?.toString('hex') ?? ''
      const id = randomBytes(ID_BYTES).toString('hex')
      const time = now()
      const made = { ...request, id, digest, time }
      const row = await database.write(function* () {
        if (replaces === undefined) {
          const stored = yield* storeToken(made)
          if (write !== undefined) yield* write(id)
          return stored
        }
        const stored = yield* replaceToken(made, replaces, overlapMs)
        if (rules.onReplace !== undefined) yield* rules.onReplace(replaces, id)
        return stored
      })
      return { secret, token: factsOf(row, time, undefined) }
    },
    async list() {
      const time = now()
      const rows = await database.read(listTokens)
      return rows.map((row) => factsOf(row, time, uses.get(row.id)))
    },
    async revoke(id) {
      if (!TOKEN_ID.test(id)) return false
      const time = now()
      return database.write(() => revokeToken(id, time), { frees: true })
    },
    async find(id) {
      const time = now()
      const row = await database.read(() => findById(id))
      if (row === undefined || !isValid(row, time)) return undefined
      uses.note(row.id, time)
      return principalOf(row)
    },
    async authenticate(request, presented, find = findByDigest) {
      if (presented === undefined) return 'missing'
      const time = now()
      const digest = findDigest(rules, presented)
      const row = digest && (await database.read(() => find(digest.toString('hex'))))
      if (digest === undefined || row === undefined || !isOf(row, digest) || !isValid(row, time)) {
        const { retryAfter } = countFailed(clientIp(request))
        return retryAfter === 0 ? 'invalid' : { retryAfter }
      }
      uses.note(row.id, time)
      return principalOf(row)
    },
    stop: uses.stop
  }
}

function isOf(row: PresentedToken, digest: Buffer): boolean {
  return timingSafeEqual(Buffer.from(row.digest, 'hex'), digest)
}

function principalOf(row: PresentedToken): Principal {
  return {
    tokenId: row.id,
    name: row.name,
    scopes: JSON.parse(row.scopes),
    bindings: JSON.parse(row.bindings),
    createdAt: row.created_at,
    expiresAt: endOf(row)
  }
}
