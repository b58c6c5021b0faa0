import type { Transaction } from '../database/transaction.ts'
import { TokenEnded, TokenUnknown, TooManyTokens } from './errors.ts'
import {
  addToken,
  countTokens,
  endAt,
  findById,
  listTokens,
  removeToken,
  type TokenRow
} from './table.ts'
import { endOf, isValid } from './token-facts.ts'

/** Of one service; those that have ended are removed first. */
export const MAX_TOKENS = 1000

export interface MadeToken {
  id: string
  digest: string
  time: number
  name?: string | undefined
  scopes?: readonly string[] | undefined
  bindings?: readonly string[] | undefined
  expiresAt?: number | undefined
}

export function* storeToken(made: MadeToken): Transaction<TokenRow> {
  yield* makeSpace(made.time)
  const token = {
    id: made.id,
    digest: made.digest,
    name: made.name ?? '',
    scopes: JSON.stringify(made.scopes ?? []),
    bindings: JSON.stringify(made.bindings ?? []),
    created_at: made.time,
    expires_at: made.expiresAt ?? null
  }
  yield* addToken(token)
  return { ...token, ends_at: null, revoked_at: null, used_at: null, replaced_by: null }
}

/** The successor has what the request does not tell from the token it replaces. */
export function* replaceToken(
  made: MadeToken,
  replaces: string,
  overlapMs: number
): Transaction<TokenRow> {
  const old = yield* findById(replaces)
  if (old === undefined) throw new TokenUnknown(replaces)
  if (!isValid(old, made.time)) throw new TokenEnded(replaces)
  const lifetime = old.expires_at === null ? undefined : old.expires_at - old.created_at
  const row = yield* storeToken({
    ...made,
    name: made.name ?? old.name,
    scopes: made.scopes ?? JSON.parse(old.scopes),
    bindings: made.bindings ?? JSON.parse(old.bindings),
    expiresAt: made.expiresAt ?? (lifetime === undefined ? undefined : made.time + lifetime)
  })
  yield* endAt(replaces, made.time + overlapMs, made.id)
  return row
}

/** Removes the tokens that ended first, so that the table stays bounded. */
function* makeSpace(time: number): Transaction<void> {
  const surplus = (yield* countTokens()) - MAX_TOKENS + 1
  if (surplus <= 0) return
  const rows = yield* listTokens()
  const ended = rows
    .filter((row) => !isValid(row, time))
    .toSorted((a, b) => lastDay(a) - lastDay(b))
  if (ended.length < surplus) throw new TooManyTokens(MAX_TOKENS)
  for (const { id } of ended.slice(0, surplus)) yield* removeToken(id)
}

function lastDay(row: TokenRow): number {
  return Math.min(
    row.revoked_at ?? Number.POSITIVE_INFINITY,
    endOf(row) ?? Number.POSITIVE_INFINITY
  )
}
