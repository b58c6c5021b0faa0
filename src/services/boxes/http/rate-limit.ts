import type { IncomingMessage } from 'node:http'
import { createRateLimit, rateLimitHeaders } from '../../../kernel/rate-limit.ts'
import { TooManyRequests } from '../contract.ts'

const WINDOW_MS = 3_600_000

/** Counts a request; returns the rate limit headers, throws if the limit is exceeded. */
export type CountRequest = (request: IncomingMessage) => readonly string[]

export function createCountRequest(
  limit: number,
  now: () => Date,
  clientIp: (request: IncomingMessage) => string
): CountRequest {
  if (limit === 0) return () => []
  const count = createRateLimit({ limit, windowMs: WINDOW_MS }, now)
  return function countRequest(request) {
    const state = count(clientIp(request))
    const headers = rateLimitHeaders(state)
    if (state.retryAfter === 0) return Object.entries(headers).flat()
    throw Object.assign(new TooManyRequests(), { headers })
  }
}
