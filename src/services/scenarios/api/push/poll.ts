import { JSON_TYPE } from '../../contract.ts'
import { type ApiResponse, DROPPED, type ResponseOrDrop } from '../../http/response.ts'
import type { RequestContext } from '../../pipeline/request-context.ts'
import { messagesAfter } from './feed.ts'
import { wireOfMessage } from './message.ts'
import { wholeParameter } from './subscription.ts'

const WAIT_SECONDS = { standard: 20, most: 60 }
const SECOND_MS = 1000
const LAST = 999_999_999

/** `GET /api/events/poll`: responds when there are events, or after the timeout. */
export async function handlePoll(call: RequestContext): Promise<ResponseOrDrop> {
  let after = wholeParameter(call, 'after', 0, LAST) ?? 0
  const { standard, most } = WAIT_SECONDS
  const seconds = wholeParameter(call, 'wait', 0, most) ?? standard
  const first = await messagesAfter(call.context, call.workspaceId, after)
  if (first.messages.length > 0 || seconds === 0) return responseOf(first)
  const patience = waitFor(call, seconds * SECOND_MS)
  try {
    for (let why = ''; ; why = await patience.next()) {
      if (why === 'gone') return DROPPED
      patience.renew()
      const found = await messagesAfter(call.context, call.workspaceId, after)
      if (found.messages.length > 0 || why === 'late') return responseOf(found)
      after = found.from
    }
  } finally {
    patience.end()
  }
}

function responseOf({ messages, from }: Awaited<ReturnType<typeof messagesAfter>>): ApiResponse {
  const next = messages.at(-1)?.id ?? from
  const body = `{"events":[${messages.map(wireOfMessage).join(',')}],"next":${next}}`
  return {
    status: 200,
    headers: { 'content-type': JSON_TYPE, 'cache-control': 'no-store' },
    body
  }
}

type Reason = 'notified' | 'late' | 'gone'

/** Resolves with the reason to read events again; there may be no events after a notification. */
function waitFor({ context, response, workspaceId: ws }: RequestContext, milliseconds: number) {
  let news = Promise.withResolvers<Reason>()
  const over = Promise.withResolvers<Reason>()
  // When the server stops, waiting clients get a response at once.
  context.held.track(response, () => over.resolve('late'))
  const stop = context.notifications.subscribe(ws, () => news.resolve('notified'))
  const timer = setTimeout(over.resolve, milliseconds, 'late')
  response.once('close', () => over.resolve('gone'))
  return {
    /** Must be called before events are read, so that no notification is lost in between. */
    renew() {
      news = Promise.withResolvers<Reason>()
    },
    next: () => Promise.race([over.promise, news.promise]),
    end() {
      stop()
      clearTimeout(timer)
    }
  }
}
