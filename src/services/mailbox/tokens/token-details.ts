import type { Action, Group } from '../api/permissions.ts'

/** Requests of a token that are counted together. */
export interface TokenRateLimit {
  readonly maxRequests: number
  /** Seconds. */
  readonly timeWindow: number
}

export interface TokenRestrictions {
  /** `*` stands for any characters. */
  readonly referrers?: readonly string[]
  /** IP addresses and ranges. */
  readonly addresses?: readonly string[]
  readonly rateLimit?: TokenRateLimit
}

/** A list that is undefined does not limit; routes of the group `admin` are never permitted. */
export interface TokenPermissions {
  readonly actions?: readonly Action[]
  readonly groups?: readonly Group[]
}

/** What is stored with a token besides its row of `credentials`. It never changes. */
export interface TokenDetails {
  readonly description?: string
  readonly metadata?: string
  readonly restrictions?: TokenRestrictions
  readonly permissions?: TokenPermissions
  /** As the creator of the token told it. */
  readonly ip?: string
  /** Of the creator of the token. */
  readonly remoteAddress?: string
}

/** A token of `nonet token create` or of an account of the sandbox has no details. */
export function parseDetails(json: string | null | undefined): TokenDetails {
  return json === null || json === undefined ? {} : JSON.parse(json)
}

/** Whether the token allows less than another one of the same scopes and accounts. */
export function isNarrowed({ permissions, restrictions }: TokenDetails): boolean {
  return permissions !== undefined || restrictions !== undefined
}
