import type { IncomingHttpHeaders, ServerResponse } from 'node:http'

export const EVENT_STREAM_TYPE = 'text/event-stream'

export const EVENT_STREAM_HEADERS = {
  'content-type': `${EVENT_STREAM_TYPE}; charset=utf-8`,
  'cache-control': 'no-store',
  // Prevents nginx from buffering the response.
  'x-accel-buffering': 'no'
} as const

/** For most streams; proxies close connections that are idle for a minute. */
export const HEARTBEAT = { everyMs: 15_000, comment: 'still here' } as const

/** One event of a stream; its fields are written in the order of the object's keys. */
export interface ServerSentEvent {
  readonly event?: string
  /** Sent back as `Last-Event-ID` by a client that reconnects; must not contain line breaks. */
  readonly id?: string | number
  readonly data?: string
  /** Milliseconds a client waits before it reconnects. */
  readonly retry?: number
}

export interface EventStreamOptions {
  /** Headers sent with status 200; undefined if the caller has already sent the head. */
  readonly headers?: Readonly<Record<string, string>>
  /** Sends a comment at intervals, because proxies close idle connections. */
  readonly heartbeat?: { readonly everyMs: number; readonly comment: string }
  /** A client that has not read for this long is disconnected; it may reconnect and resume. */
  readonly slowMs?: number
}

export interface EventStream {
  /** Resolves when the client can receive more or has disconnected; wait before the next event. */
  send: (event: ServerSentEvent) => Promise<void>
  /** Sends a line that clients ignore. */
  comment: (text: string) => Promise<void>
  /** Ends the stream; the client reconnects. */
  end: () => void
  readonly isOpen: boolean
  /** Bytes that were sent and are still buffered here. */
  readonly waitingBytes: number
}

/** Id of the last event a reconnecting client has received; undefined for a new client. */
export function lastEventId(headers: IncomingHttpHeaders): string | undefined {
  const id = headers['last-event-id']
  return typeof id === 'string' && id !== '' ? id : undefined
}

export function formatEvent(event: ServerSentEvent): string {
  let block = ''
  for (const [name, value] of Object.entries(event)) {
    // The standard requires one field per line of the data.
    for (const line of linesOf(String(value))) block += `${name}: ${line}\n`
  }
  return `${block}\n`
}

function linesOf(value: string): readonly string[] {
  const isOneLine = !value.includes('\n') && !value.includes('\r')
  return isOneLine ? [value] : value.split(LINE_BREAK)
}

const LINE_BREAK = /\r\n|\n|\r/

/** Server-sent events on a response, which only the stream may write to from then on. */
export function openEventStream(
  response: ServerResponse,
  { headers, heartbeat, slowMs }: EventStreamOptions = {}
): EventStream {
  if (headers !== undefined) response.writeHead(200, headers)
  const isOpen = () => !response.destroyed && !response.writableEnded
  const timer = heartbeat && setInterval(beat, heartbeat.everyMs)
  response.once('close', () => clearInterval(timer))

  function beat(): void {
    // A client that does not read gets no heartbeats, because they would fill the buffer.
    if (!response.writableNeedDrain) comment(heartbeat?.comment ?? '')
  }

  function write(text: string): Promise<void> {
    return !isOpen() || response.write(text) ? Promise.resolve() : drained(response, slowMs)
  }

  function comment(text: string): Promise<void> {
    return write(text === '' ? ':\n\n' : `: ${text}\n\n`)
  }

  return {
    send: (event) => write(formatEvent(event)),
    comment,
    end() {
      clearInterval(timer)
      response.end()
    },
    get isOpen() {
      return isOpen()
    },
    get waitingBytes() {
      return response.writableLength
    }
  }
}

function drained(response: ServerResponse, slowMs: number | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = slowMs === undefined ? undefined : setTimeout(() => response.destroy(), slowMs)
    function finish(): void {
      clearTimeout(timer)
      response.off('drain', finish).off('close', finish)
      resolve()
    }
    response.once('drain', finish).once('close', finish)
  })
}
