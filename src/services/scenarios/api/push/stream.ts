import type { ServerResponse } from 'node:http'
import { EVENT_STREAM_HEADERS, openEventStream } from '../../../../kernel/event-stream.ts'
import { type ApiResponse, empty } from '../../http/response.ts'
import { cut } from '../../http/send.ts'
import { type RequestContext, use } from '../../pipeline/request-context.ts'
import { sseDrop } from '../../scenario/streaming.ts'
import type { Message } from './message.ts'
import { parseSubscription } from './subscription.ts'

const RETRY_MS = 2000
const SECOND_MS = 1000

/** `GET /api/events`: server-sent events, which a browser resumes by itself. */
export async function handleStream(call: RequestContext): Promise<ApiResponse> {
  const asked = await parseSubscription(call)
  // By the EventSource standard, 204 tells a browser not to reconnect.
  if (asked.isOver) return empty(204)
  const drop = use(call, sseDrop)
  const end = new AbortController()
  call.context.held.track(call.response, () => end.abort())
  call.response.once('close', () => end.abort())
  return {
    status: 200,
    headers: EVENT_STREAM_HEADERS,
    stream(response) {
      const messages = asked.follow(end.signal)
      play(call, response, messages, drop).catch((error: Error) => {
        // The client reconnects and receives the events that it missed.
        call.context.kernel.warn(`event stream stopped: ${error.message}`)
        response.destroy()
      })
    }
  }
}

async function play(
  { context, request }: RequestContext,
  response: ServerResponse,
  messages: AsyncIterable<Message>,
  drop = Number.POSITIVE_INFINITY
): Promise<void> {
  const everyMs = context.options.heartbeatSeconds * SECOND_MS
  const stream = openEventStream(response, { heartbeat: { everyMs, comment: 'still here' } })
  const begun = stream.send({ retry: RETRY_MS })
  if (drop === 0) return cut(response)
  await begun
  let count = 0
  for await (const { id, type, data } of messages) {
    const sent = stream.send({ id, event: type, data })
    count += 1
    if (count >= drop) return dropAfter(request, response)
    await sent
    if (!stream.isOpen) return
  }
  stream.end()
}

/** Closes the connection after the data is written; a reset would discard it. */
function dropAfter(request: RequestContext['request'], response: ServerResponse): void {
  response.write('', () => request.socket.destroy())
}
