import type { IncomingMessage } from 'node:http'
import { createRateLimit, type RateLimitState } from '../../../kernel/rate-limit.ts'
import type { Kernel } from '../../../kernel/service.ts'
import { KeyLimitExceeded, TooManyRequests } from '../contract.ts'

const WINDOW_MS = 10_000
const MEMBER_WINDOW_MS = 900_000
/** Of other machines, if the setting names no limit. */
const DEFAULT_LIMIT = 100
/** Clients behind one address share its limit. */
const KEY_FACTOR = 3

type Headers = Readonly<Record<string, string>>

/** Counts a request; throws if there are too many, else returns the headers of the response. */
export interface ApiLimits {
  /** Of one address, before its token is checked. */
  countAddress: (raw: IncomingMessage) => Headers
  countToken: (tokenId: string | undefined, isOfMember: boolean) => Headers
}

/** Without a limit, requests are not counted if only this machine reaches the service. */
export function hasLimits({ loopback }: Pick<Kernel, 'loopback'>, limit: number): boolean {
  return limit > 0 || !loopback
}

/** `limit` of a token within 10 seconds; 0 means none if only this machine reaches the service. */
export function createApiLimits(kernel: Kernel, limit: number): ApiLimits {
  const isLimited = hasLimits(kernel, limit)
  const perToken = limit > 0 ? limit : DEFAULT_LIMIT
  const perKey = KEY_FACTOR * perToken
  const countKey = createRateLimit({ limit: perKey, windowMs: WINDOW_MS }, kernel.now)
  const countOne = createRateLimit({ limit: perToken, windowMs: WINDOW_MS }, kernel.now)
  const countMember = createRateLimit({ limit: perToken, windowMs: MEMBER_WINDOW_MS }, kernel.now)

  return {
    countAddress(raw) {
      const state = isLimited ? countKey(kernel.clientIp(raw)) : unlimited(perKey)
      return check('Api-Key', state, WINDOW_MS, KeyLimitExceeded)
    },
    countToken(tokenId, isOfMember) {
      if (tokenId === undefined) return {}
      const token = isLimited ? countOne(tokenId) : unlimited(perToken)
      const member = isLimited && isOfMember ? countMember(tokenId) : unlimited(perToken)
      return {
        ...check('Api-Token', token, WINDOW_MS, TooManyRequests),
        ...check('Member', member, MEMBER_WINDOW_MS, TooManyRequests)
      }
    }
  }
}

function unlimited(limit: number): RateLimitState {
  return { limit, remaining: limit, resetsAt: 0, retryAfter: 0 }
}

/** The names of the headers are Trello's. */
function check(
  name: string,
  { limit, remaining, retryAfter }: RateLimitState,
  windowMs: number,
  TooMany: typeof TooManyRequests | typeof KeyLimitExceeded
): Headers {
  const headers = {
    [`x-rate-limit-${name}-interval-ms`.toLowerCase()]: String(windowMs),
    [`x-rate-limit-${name}-max`.toLowerCase()]: String(limit),
    [`x-rate-limit-${name}-remaining`.toLowerCase()]: String(remaining)
  }
  if (retryAfter === 0) return headers
  throw Object.assign(new TooMany(), {
    headers: { ...headers, 'retry-after': String(retryAfter) }
  })
}
