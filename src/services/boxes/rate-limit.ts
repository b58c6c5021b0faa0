import type { IncomingMessage } from 'node:http'
import { createWindows } from '../../kernel/windows.ts'
import { TooManyRequests } from './contract.ts'

const WINDOW_MS = 3_600_000
const SECOND_MS = 1000

/** Addresses remembered; beyond it the one seen longest ago is forgotten. */
const MAX_ADDRESSES = 10_000

export interface Allowance {
  readonly limit: number
  readonly remaining: number
  /** Unix seconds of the end of the window. */
  readonly resetsAt: number
  /** Seconds to wait; 0 when the request may pass. */
  readonly wait: number
}

/** Counts requests per address in windows of an hour from the first one. */
export function createRateLimit(
  limit: number,
  now: () => Date,
  maxAddresses = MAX_ADDRESSES
): (address: string) => Allowance {
  const windows = createWindows(now, maxAddresses)
  return function count(address) {
    const { count, endsAt } = windows.count(address, WINDOW_MS)
    return {
      limit,
      remaining: Math.max(0, limit - count),
      resetsAt: Math.ceil(endsAt / SECOND_MS),
      wait: count <= limit ? 0 : Math.ceil((endsAt - now().getTime()) / SECOND_MS)
    }
  }
}

/** Counts a request; answers the headers that tell its sender how many are left. */
export type CountRequest = (request: IncomingMessage) => readonly string[]

export function createCountRequest(
  limit: number,
  now: () => Date,
  addressOf: (request: IncomingMessage) => string
): CountRequest {
  if (limit === 0) return () => []
  const count = createRateLimit(limit, now)
  return function countRequest(request) {
    const { remaining, resetsAt, wait } = count(addressOf(request))
    const headers = {
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-remaining': String(remaining),
      'x-ratelimit-reset': String(resetsAt)
    }
    if (wait === 0) return Object.entries(headers).flat()
    throw Object.assign(new TooManyRequests(), {
      headers: { ...headers, 'retry-after': String(wait) }
    })
  }
}
