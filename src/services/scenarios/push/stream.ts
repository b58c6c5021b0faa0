import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { type Answer, empty } from '../answer.ts'
import { type Call, use } from '../call.ts'
import { sseDrop } from '../scenario/streaming.ts'
import { cut } from '../send.ts'
import { readAsked } from './asked.ts'
import type { Message } from './message.ts'

const RETRY_MS = 2000
const SECOND_MS = 1000

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // nginx would hold events back otherwise.
  'x-accel-buffering': 'no'
}

/** `GET /api/events`: server-sent events, which a browser resumes by itself. */
export async function answerStream(call: Call): Promise<Answer> {
  const asked = await readAsked(call)
  // RFC of EventSource: 204 tells a browser not to come back.
  if (asked.isOver) return empty(204)
  const drop = use(call, sseDrop)
  const end = new AbortController()
  call.room.held.take(call.response, () => end.abort())
  call.response.once('close', () => end.abort())
  return {
    status: 200,
    headers: HEADERS,
    stream(response) {
      const messages = asked.follow(end.signal)
      play(call, response, messages, drop).catch((error: Error) => {
        // The client comes back by itself, and is told what it missed.
        call.room.kernel.warn(`an event stream ended: ${error.message}`)
        response.destroy()
      })
    }
  }
}

async function play(
  { room, request }: Call,
  response: ServerResponse,
  messages: AsyncIterable<Message>,
  drop = Number.POSITIVE_INFINITY
): Promise<void> {
  response.write(`retry: ${RETRY_MS}\n\n`)
  const heartbeat = setInterval(
    () => response.write(': still here\n\n'),
    room.options.heartbeatSeconds * SECOND_MS
  )
  response.once('close', () => clearInterval(heartbeat))
  let sent = 0
  if (drop === 0) return cut(response)
  for await (const message of messages) {
    const goesOn = response.write(eventOf(message))
    sent += 1
    if (sent >= drop) return dropAfter(request, response)
    // What a slow reader has not taken yet stays in the store.
    if (!goesOn) await Promise.race([once(response, 'drain'), once(response, 'close')])
    if (response.destroyed) return
  }
  clearInterval(heartbeat)
  response.end()
}

/** What was written goes out first: a reset would take it back. */
function dropAfter(request: Call['request'], response: ServerResponse): void {
  response.write('', () => request.socket.destroy())
}

function eventOf({ id, type, data }: Message): string {
  return `id: ${id}\nevent: ${type}\ndata: ${data}\n\n`
}
