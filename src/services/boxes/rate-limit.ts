import type { IncomingMessage } from 'node:http'
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

interface Window {
  count: number
  endsAt: number
}

/** Counts requests per address in windows of an hour from the first one. */
export function createRateLimit(
  limit: number,
  now: () => Date,
  maxAddresses = MAX_ADDRESSES
): (address: string) => Allowance {
  const windows = new Map<string, Window>()

  function openWindow(address: string, time: number): Window {
    windows.delete(address)
    const [oldest] = windows.keys()
    if (windows.size >= maxAddresses && oldest !== undefined) windows.delete(oldest)
    const window = { count: 0, endsAt: time + WINDOW_MS }
    windows.set(address, window)
    return window
  }

  return function count(address) {
    const time = now().getTime()
    const known = windows.get(address)
    const window = known === undefined || known.endsAt <= time ? openWindow(address, time) : known
    window.count++
    const passes = window.count <= limit
    return {
      limit,
      remaining: Math.max(0, limit - window.count),
      resetsAt: Math.ceil(window.endsAt / SECOND_MS),
      wait: passes ? 0 : Math.ceil((window.endsAt - time) / SECOND_MS)
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
