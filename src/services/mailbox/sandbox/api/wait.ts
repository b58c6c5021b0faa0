import type { ServerResponse } from 'node:http'
import type { MailboxContext } from '../../context.ts'
import { Stopping, TooManyWaiting, WaitTimedOut } from '../../contract.ts'
import type { FoundMessage, MessageFilter } from '../mail-store.ts'
import { readFilter } from './filter.ts'
import { presentMessage } from './messages.ts'
import type { Operation } from './operation.ts'
import { integer } from './read-input.ts'

const DEFAULT_SECONDS = 10
const MAX_SECONDS = 120
const SECOND_MS = 1000

/** `GET /v1/sandbox/wait`: the newest message that matches, or the next one to arrive. */
export const waitForMessage: Operation = async (context, { caller, request, response }) => {
  const { filter, values } = readFilter(caller, request, {
    timeout: integer(0, MAX_SECONDS, DEFAULT_SECONDS)
  })
  const release = context.kernel.held.hold(context.kernel.clientIp(request))
  if (release === undefined) throw new TooManyWaiting()
  try {
    const message = await findNext(context, response, filter, values.timeout * SECOND_MS)
    if (message === undefined) throw new WaitTimedOut(values.timeout)
    return await presentMessage(context, caller, message, context.kernel.baseUrl(request))
  } finally {
    release()
  }
}

/** Undefined when the time is up or the client is gone. */
async function findNext(
  { store, stopping }: MailboxContext,
  response: ServerResponse,
  filter: MessageFilter,
  timeoutMs: number
): Promise<FoundMessage | undefined> {
  let isOver = response.destroyed
  let hasChanged = false
  let wake = () => {}
  const change = () => {
    hasChanged = true
    wake()
  }
  const end = () => {
    isOver = true
    wake()
  }
  const timer = setTimeout(end, timeoutMs)
  response.once('close', end)
  stopping.addEventListener('abort', end)
  // Before the first search, so that no message is missed between the two.
  const unwatch = store.watch(filter.account, change)
  try {
    for (;;) {
      hasChanged = false
      const [found] = await store.findMessages(filter, 1)
      if (found !== undefined) return found
      if (stopping.aborted) throw new Stopping()
      if (isOver) return undefined
      if (!hasChanged) await new Promise<void>((resolve) => (wake = resolve))
    }
  } finally {
    unwatch()
    clearTimeout(timer)
    response.off('close', end)
    stopping.removeEventListener('abort', end)
  }
}
