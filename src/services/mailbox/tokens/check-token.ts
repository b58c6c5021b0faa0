import { isInRanges, parseRanges } from '../../../kernel/base-url.ts'
import type { Principal } from '../../../kernel/credentials/rules.ts'
import type { Access, Action, Group } from '../api/permissions.ts'
import { AccountNotFound, AdminRequired, tooManyRequests } from '../contract.ts'
import {
  UnauthorizedReferrer,
  unauthorizedAddress,
  unauthorizedPermission,
  unauthorizedScope
} from '../control/contract.ts'
import { matchesReferrer } from './referrer-pattern.ts'
import type { TokenDetails, TokenPermissions } from './token-details.ts'
import type { WindowState } from './token-uses.ts'

/** What a route requires. */
export interface Need {
  readonly scope: 'api' | 'metrics'
  readonly group: Group
  readonly action: Action
  readonly access: Access
  /** The one of the path. */
  readonly account?: string | undefined
}

/** What a request tells besides its token. */
export interface Sender {
  readonly ip: string
  readonly referrer: string | undefined
}

export interface TokenUse {
  readonly principal: Pick<Principal, 'scopes'>
  /** Undefined: all. */
  readonly accounts: readonly string[] | undefined
  readonly details: TokenDetails
  readonly sender: Sender
  /** Counts this request; undefined if the token has no limit. */
  readonly countRequest: (() => WindowState) | undefined
}

/** Why a valid token does not allow a request; `headers` are those of its rate limit. */
export interface TokenCheck {
  readonly denial: Error | undefined
  readonly headers: Readonly<Record<string, string>>
}

/**
 * In the order of the checks: scope, permissions, accounts, address, referrer, rate limit. Accounts
 * of others look like unknown ones. A request is counted only if all else allows it.
 */
export function checkToken(use: TokenUse, need: Need): TokenCheck {
  const denial = findDenial(use, need)
  if (denial !== undefined || use.countRequest === undefined) return { denial, headers: {} }
  const { limit, remaining, secondsLeft, isExceeded } = use.countRequest()
  const headers = { 'x-ratelimit-limit': String(limit), 'x-ratelimit-reset': String(secondsLeft) }
  if (!isExceeded) {
    return { denial, headers: { ...headers, 'x-ratelimit-remaining': String(remaining) } }
  }
  const all = { ...headers, 'retry-after': String(secondsLeft) }
  return { denial: tooManyRequests(secondsLeft, all), headers: {} }
}

function findDenial(
  { principal, accounts, details, sender }: TokenUse,
  { scope, group, action, access, account }: Need
): Error | undefined {
  const { permissions, restrictions: { addresses = [], referrers = [] } = {} } = details
  if (!principal.scopes.includes(scope)) return unauthorizedScope(scope)
  if (permissions !== undefined && !isPermitted(permissions, group, action)) {
    return unauthorizedPermission(group, action)
  }
  if (access === 'admin' && accounts !== undefined) return new AdminRequired()
  if (access === 'path' && accounts?.includes(account ?? '') === false) return new AccountNotFound()
  const ranges = parseRanges(addresses)
  if (ranges !== undefined && !isInRanges(ranges, sender.ip)) return unauthorizedAddress(sender.ip)
  const isReferred = referrers.some((pattern) => matchesReferrer(pattern, sender.referrer ?? ''))
  return referrers.length > 0 && !isReferred ? new UnauthorizedReferrer() : undefined
}

function isPermitted({ actions, groups }: TokenPermissions, group: Group, action: Action): boolean {
  if (group === 'admin') return false
  return (groups?.includes(group) ?? true) && (actions?.includes(action) ?? true)
}
