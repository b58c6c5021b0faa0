import type { IncomingMessage } from 'node:http'
import { TOO_MANY_BODIES, WorkerNotAvailable } from '../connections/contract.ts'

const MIB = 1024 * 1024
/** A body that is not larger is not counted. */
const SMALL_BYTES = MIB
const MAX_WAITING = 1000

export interface BudgetLimits {
  readonly most: number
  readonly mostOfAccount: number
  /** Until a request that does not fit is rejected. */
  readonly waitMs: number
}

/** With what is made of it, a request takes up to five times the memory of its body. */
const LIMITS: BudgetLimits = { most: 256 * MIB, mostOfAccount: 128 * MIB, waitMs: 10_000 }

/** Limits the bytes of large bodies that are handled at a time. */
export interface BodyBudget {
  /** Resolves to a function that gives the bytes back; rejects if there are none in time. */
  take: (account: string, bytes: number) => Promise<() => void>
}

export function createBodyBudget({ most, mostOfAccount, waitMs } = LIMITS): BodyBudget {
  const byAccount = new Map<string, number>()
  const waiting = new Set<() => void>()
  let total = 0

  function fits(account: string, bytes: number): boolean {
    return total + bytes <= most && (byAccount.get(account) ?? 0) + bytes <= mostOfAccount
  }

  function change(account: string, by: number): void {
    total += by
    const left = (byAccount.get(account) ?? 0) + by
    if (left === 0) byAccount.delete(account)
    else byAccount.set(account, left)
  }

  function claim(account: string, bytes: number): () => void {
    let isTaken = true
    change(account, bytes)
    return () => {
      if (!isTaken) return
      isTaken = false
      change(account, -bytes)
      for (const attempt of [...waiting]) attempt()
    }
  }

  return {
    async take(account, bytes) {
      if (fits(account, bytes)) return claim(account, bytes)
      if (waiting.size >= MAX_WAITING) throw new WorkerNotAvailable(TOO_MANY_BODIES)
      const { promise, resolve, reject } = Promise.withResolvers<() => void>()
      const end = () => {
        clearTimeout(timer)
        waiting.delete(attempt)
      }
      const attempt = () => {
        if (!fits(account, bytes)) return
        end()
        resolve(claim(account, bytes))
      }
      const timer = setTimeout(() => {
        end()
        reject(new WorkerNotAvailable(TOO_MANY_BODIES))
      }, waitMs)
      waiting.add(attempt)
      return promise
    }
  }
}

/** What the body of a request counts; one without a length may have `most` bytes. */
export function countedBytes({ headers }: IncomingMessage, most: number): number {
  const { 'content-length': length, 'transfer-encoding': coding } = headers
  const announced = length === undefined ? (coding === undefined ? 0 : most) : Number(length)
  // A body over the limit is rejected unread.
  const isRead = announced <= most
  return isRead && announced > SMALL_BYTES ? announced : 0
}
