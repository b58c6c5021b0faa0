import type { TokenFacts } from './rules.ts'

/** A token in responses of the console; times are in ISO 8601. */
export interface ListedToken {
  id: string
  name: string
  scopes: readonly string[]
  bindings: readonly string[]
  /** The bindings as people know them, in the same order. */
  boundTo: readonly string[]
  createdAt: string
  usedAt: string | null
  expiresAt: string | null
  replacedBy: string | null
  state: TokenFacts['state']
}

export interface CreatedToken {
  secret: string
  token: ListedToken
}

export function listToken(
  { createdAt, usedAt, expiresAt, replacedBy, ...token }: TokenFacts,
  names: ReadonlyMap<string, string>
): ListedToken {
  return {
    ...token,
    boundTo: token.bindings.map((binding) => names.get(binding) ?? binding),
    createdAt: timeOf(createdAt) ?? '',
    usedAt: timeOf(usedAt),
    expiresAt: timeOf(expiresAt),
    replacedBy: replacedBy ?? null
  }
}

function timeOf(time: number | undefined): string | null {
  return time === undefined ? null : new Date(time).toISOString()
}
