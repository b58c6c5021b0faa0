import { createFixedWindowCounter } from './fixed-window.ts'

const SECOND_MS = 1000

/** Default number of keys; beyond it the key with the oldest window is removed. */
const MAX_KEYS = 10_000

export interface RateLimitState {
  readonly limit: number
  readonly remaining: number
  /** End of the window in Unix seconds. */
  readonly resetsAt: number
  /** Seconds until the next request is allowed; 0 if this one is allowed. */
  readonly retryAfter: number
}

export interface RateLimitOptions {
  limit: number
  /** Length of a window, which begins with the first request of a key. */
  windowMs: number
  maxKeys?: number
}

/** Counts requests per key, such as an IP address, in fixed windows. */
export function createRateLimit(
  { limit, windowMs, maxKeys = MAX_KEYS }: RateLimitOptions,
  now: () => Date
): (key: string) => RateLimitState {
  const windows = createFixedWindowCounter(now, maxKeys)
  return function countRequest(key) {
    const { count, endsAt } = windows.count(key, windowMs)
    return {
      limit,
      remaining: Math.max(0, limit - count),
      resetsAt: Math.ceil(endsAt / SECOND_MS),
      retryAfter: count <= limit ? 0 : Math.ceil((endsAt - now().getTime()) / SECOND_MS)
    }
  }
}

/** Limit, remaining requests and reset time; `Retry-After` only if the request is rejected. */
export function rateLimitHeaders(state: RateLimitState): Readonly<Record<string, string>> {
  return {
    'x-ratelimit-limit': String(state.limit),
    'x-ratelimit-remaining': String(state.remaining),
    'x-ratelimit-reset': String(state.resetsAt),
    ...(state.retryAfter === 0 ? {} : retryAfterHeaders(state))
  }
}

export function retryAfterHeaders({ retryAfter }: RateLimitState): { 'retry-after': string } {
  return { 'retry-after': String(retryAfter) }
}
