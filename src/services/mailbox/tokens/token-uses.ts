import { createFixedWindowCounter } from '../../../kernel/fixed-window.ts'
import type { Kernel } from '../../../kernel/service.ts'
import type { TokenRateLimit } from './token-details.ts'

const SECOND_MS = 1000
/** More than there can be tokens. */
const MAX_TOKENS = 2000

export interface WindowState {
  readonly limit: number
  readonly remaining: number
  /** Until the window ends. */
  readonly secondsLeft: number
  readonly isExceeded: boolean
}

/** Uses of tokens that are not stored: windows of rate limits and addresses of clients. */
export interface TokenUses {
  /** Counts a request of a token in this process. */
  count: (token: string, limit: TokenRateLimit) => WindowState
  noteAddress: (token: string, ip: string) => void
  /** Of the last request since the start of the process. */
  lastAddress: (token: string) => string | undefined
}

const uses = new WeakMap<Kernel, TokenUses>()

export function tokenUsesOf(kernel: Kernel): TokenUses {
  const known = uses.get(kernel) ?? createTokenUses(kernel.now)
  uses.set(kernel, known)
  return known
}

function createTokenUses(now: () => Date): TokenUses {
  const windows = createFixedWindowCounter(now, MAX_TOKENS)
  const addresses = new Map<string, string>()
  return {
    count(token, { maxRequests, timeWindow }) {
      const { count, endsAt } = windows.count(token, timeWindow * SECOND_MS)
      return {
        limit: maxRequests,
        remaining: Math.max(0, maxRequests - count),
        secondsLeft: Math.max(1, Math.ceil((endsAt - now().getTime()) / SECOND_MS)),
        isExceeded: count > maxRequests
      }
    },
    noteAddress(token, ip) {
      addresses.delete(token)
      const [oldest] = addresses.keys()
      if (addresses.size >= MAX_TOKENS && oldest !== undefined) addresses.delete(oldest)
      addresses.set(token, ip)
    },
    lastAddress: (token) => addresses.get(token)
  }
}
