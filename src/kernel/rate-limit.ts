import { createFixedWindowCounter } from './fixed-window.ts'

const SECOND_MS = 1000

/** Keys remembered unless told; beyond it the one whose window was opened first is forgotten. */
const MAX_KEYS = 10_000

export interface RateLimitState {
  readonly limit: number
  readonly remaining: number
  /** Unix seconds of the end of the window. */
  readonly resetsAt: number
  /** Seconds until the next request may pass; 0 if this one may. */
  readonly retryAfter: number
}

export interface RateLimitOptions {
  limit: number
  /** From the first request of a key. */
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

/** How many requests are left; on a 429 also when to come back. */
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
