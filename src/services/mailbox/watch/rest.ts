import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ImapFlow } from 'imapflow'
import { connectionLost } from '../connections/contract.ts'
import type { Notices } from './notices.ts'
import { endIdle } from './notify-adapter.ts'

/** A server that does not respond to DONE or NOOP in this time is gone. */
const RESPONSE_MS = 30_000
/** IDLE that the server ends sooner is not begun again at once. */
const SHORT_IDLE_MS = 1000

/**
 * How a server tells of changes: of all mailboxes without a command, of the selected one during
 * IDLE, or of the selected one with the next command.
 */
export type Rest = 'notify' | 'idle' | 'noop'

/**
 * Waits until the server tells of a change, or for so long; then a command may follow. False if the
 * server ends IDLE at once, so that it must not be begun again soon.
 */
export async function restFor(
  client: ImapFlow,
  notices: Notices,
  rest: Rest,
  ms: number
): Promise<boolean> {
  if (rest !== 'idle') {
    await notices.wait(ms)
    // Lines that arrived together are read together.
    await nextTurn()
    return true
  }
  const began = performance.now()
  const idle = client.idle().catch(() => false)
  const ended = idle.then(() => {
    notices.wake()
    return false
  })
  const isOurs = await Promise.race([notices.wait(ms).then(() => true), ended])
  if (isOurs && client.usable) {
    await endIdle(client)
    await responded(client, idle)
    return true
  }
  return performance.now() - began >= SHORT_IDLE_MS
}

/** Closes the connection if there is no response in time. */
export async function responded<T>(client: ImapFlow, response: Promise<T>): Promise<T> {
  const timer = setTimeout(() => client.close(), RESPONSE_MS).unref()
  try {
    return await response
  } finally {
    clearTimeout(timer)
  }
}

/** Shows that the connection works; the server tells what has changed with its response. */
export async function sendNoop(client: ImapFlow): Promise<void> {
  await responded(client, client.noop())
  if (!client.usable) throw connectionLost('The mail server does not respond')
}
