import { createHash, timingSafeEqual } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { createFixedWindowCounter } from '../../../kernel/fixed-window.ts'
import type { MailboxContext } from '../context.ts'
import type { SandboxAccount } from './mail-store.ts'

const WINDOW_MS = 60_000
/** Wrong passwords of one client address in a window, after which each further one is delayed. */
const FREE_ERRORS = 20
const DELAY_MS = 2_000
const MAX_CLIENTS = 10_000

/** Undefined if there is no such account or the password is wrong, in the same time. */
export type SignIn = (
  idOrAddress: string,
  password: string,
  clientAddress: string
) => Promise<SandboxAccount | undefined>

export function createSignIn({ kernel, store }: MailboxContext): SignIn {
  const errors = createFixedWindowCounter(kernel.now, MAX_CLIENTS)
  return async (idOrAddress, password, clientAddress) => {
    const account = await store.findAccount(idOrAddress)
    const expected = account === undefined ? '' : await store.readPassword(account.id)
    const isEqual = isSame(password, expected ?? '')
    if (isEqual && account !== undefined && expected !== undefined) return account
    if (errors.count(clientAddress, WINDOW_MS).count > FREE_ERRORS) {
      await delay(DELAY_MS, undefined, { ref: false })
    }
    return undefined
  }
}

function isSame(left: string, right: string): boolean {
  return timingSafeEqual(digestOf(left), digestOf(right))
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
