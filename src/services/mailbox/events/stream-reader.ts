import type { ServerResponse } from 'node:http'
import {
  EVENT_STREAM_HEADERS,
  type EventStream,
  HEARTBEAT,
  openEventStream
} from '../../../kernel/event-stream.ts'
import type { Caller } from '../api/caller.ts'
import type { MailboxContext } from '../context.ts'
import { API_HEADERS } from '../contract.ts'
import { accountsOf } from '../tokens/use-token.ts'
import { RENEW_MS } from './want-events.ts'

const HEADERS = { ...API_HEADERS, ...EVENT_STREAM_HEADERS }
/** A client that has not read for this long is disconnected. */
const SLOW_MS = 30_000
const RETRY_MS = 2_000
/** How long it is relied on that the token of a client is valid, when something is to be sent. */
const VALID_MS = 1_000

/** A client that reads an event stream. */
export interface StreamReader {
  /** Ids of the accounts of its token, which may change; undefined for all. */
  accounts: () => readonly string[] | undefined
  /** Wakes `wait`. */
  wake: () => void
  /** Resolves after `wake`, or at the end; rejects if the token cannot be checked. */
  wait: () => Promise<void>
  /** False when the client is gone, its token is not valid any more, or the service stops. */
  isOpen: () => boolean
  /** Sends the head and runs to the end of the stream; an error closes the connection. */
  run: (send: (stream: EventStream) => Promise<void>) => Promise<void>
}

export interface ReaderOptions {
  readonly response: ServerResponse
  readonly caller: Caller
  /** Called before the head is sent, and each minute. */
  readonly renew: (accounts: readonly string[] | undefined) => Promise<void>
}

export function openReader(
  { kernel, stopping }: Pick<MailboxContext, 'kernel' | 'stopping'>,
  { response, caller, renew }: ReaderOptions
): StreamReader {
  let { accounts } = caller
  let isOver = response.destroyed || stopping.aborted
  let isWoken = false
  let checkedAt = performance.now()
  let proceed = () => {}

  function wake(): void {
    isWoken = true
    proceed()
  }
  function end(): void {
    isOver = true
    wake()
  }
  async function checkAccess(): Promise<void> {
    if (caller.tokenId === undefined) return
    checkedAt = performance.now()
    const principal = await kernel.credentials.find(caller.tokenId)
    if (principal === undefined) end()
    else accounts = accountsOf(principal)
  }
  async function checkAndRenew(): Promise<void> {
    await checkAccess()
    if (!isOver) await renew(accounts)
  }
  async function send(write: (stream: EventStream) => Promise<void>): Promise<void> {
    const options = { headers: HEADERS, heartbeat: HEARTBEAT, slowMs: SLOW_MS }
    const stream = openEventStream(response, options)
    try {
      await stream.comment(`nonet ${kernel.version}`)
      await stream.send({ retry: RETRY_MS })
      await write(stream)
      stream.end()
    } catch {
      // The database is unavailable: the client connects again and gets the error as a response.
      response.destroy()
    }
  }

  return {
    accounts: () => accounts,
    wake,
    async wait() {
      if (!isWoken && !isOver) await new Promise<void>((resolve) => (proceed = resolve))
      isWoken = false
      if (!isOver && performance.now() - checkedAt > VALID_MS) await checkAccess()
    },
    isOpen: () => !isOver,
    async run(write) {
      // Without the database the next minute tries again.
      const timer = setInterval(() => checkAndRenew().catch(() => {}), RENEW_MS)
      response.once('close', end)
      stopping.addEventListener('abort', end)
      try {
        await renew(accounts)
        await send(write)
      } finally {
        clearInterval(timer)
        response.off('close', end)
        stopping.removeEventListener('abort', end)
      }
    }
  }
}
