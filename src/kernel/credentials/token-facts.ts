import type { TokenFacts, TokenState } from './rules.ts'
import type { PresentedToken, TokenRow } from './table.ts'

/** When the token expires or its replacement ends it; undefined if neither is set. */
export function endOf({
  expires_at: expiresAt,
  ends_at: endsAt
}: Pick<TokenRow, 'expires_at' | 'ends_at'>): number | undefined {
  if (expiresAt === null) return endsAt ?? undefined
  return endsAt === null ? expiresAt : Math.min(expiresAt, endsAt)
}

export function isValid(row: PresentedToken, time: number): boolean {
  return row.revoked_at === null && time < (endOf(row) ?? Number.POSITIVE_INFINITY)
}

/** `usedAt` is a use that is not stored yet. */
export function factsOf(row: TokenRow, time: number, usedAt: number | undefined): TokenFacts {
  const lastUse = Math.max(row.used_at ?? 0, usedAt ?? 0)
  return {
    id: row.id,
    name: row.name,
    scopes: JSON.parse(row.scopes),
    bindings: JSON.parse(row.bindings),
    createdAt: row.created_at,
    usedAt: lastUse === 0 ? undefined : lastUse,
    expiresAt: endOf(row),
    replacedBy: row.replaced_by ?? undefined,
    state: stateOf(row, time)
  }
}

function stateOf(row: TokenRow, time: number): TokenState {
  if (row.revoked_at !== null) return 'revoked'
  if (!isValid(row, time)) return 'expired'
  return row.ends_at === null ? 'active' : 'rotated'
}
