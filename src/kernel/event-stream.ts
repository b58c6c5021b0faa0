import type { IncomingHttpHeaders, ServerResponse } from 'node:http'

export const EVENT_STREAM_TYPE = 'text/event-stream'

export const EVENT_STREAM_HEADERS = {
  'content-type': `${EVENT_STREAM_TYPE}; charset=utf-8`,
  'cache-control': 'no-store',
  // nginx would collect the response before it passes it on.
  'x-accel-buffering': 'no'
} as const

/** One block of a stream; its fields are written in the order they are given. */
export interface ServerSentEvent {
  readonly event?: string
  /** What a client that reconnects sends as `Last-Event-ID`; no line breaks. */
  readonly id?: string | number
  readonly data?: string
  /** Milliseconds until a client reconnects. */
  readonly retry?: number
}

export interface EventStreamOptions {
  /** Sent with status 200; without them the head was written before. */
  readonly headers?: Readonly<Record<string, string>>
  /** A comment at intervals, because proxies close idle connections. */
  readonly heartbeat?: { readonly everyMs: number; readonly comment: string }
  /** A client that reads nothing for so long is disconnected, and may resume. */
  readonly slowMs?: number
}

export interface EventStream {
  /** Resolves when the client takes more, or is gone. What comes next stays in the store until then. */
  send: (event: ServerSentEvent) => Promise<void>
  /** A line that clients ignore. */
  comment: (text: string) => Promise<void>
  /** Ends the stream; the client reconnects. */
  end: () => void
  readonly isOpen: boolean
  /** What was sent and the client has not read. */
  readonly waitingBytes: number
}

/** The id of the last event that a reconnecting client has seen; undefined if it begins. */
export function lastEventId(headers: IncomingHttpHeaders): string | undefined {
  const id = headers['last-event-id']
  return typeof id === 'string' && id !== '' ? id : undefined
}

export function formatEvent(event: ServerSentEvent): string {
  let block = ''
  for (const [name, value] of Object.entries(event)) {
    // The standard wants a field for each line of the data.
    for (const line of linesOf(String(value))) block += `${name}: ${line}\n`
  }
  return `${block}\n`
}

function linesOf(value: string): readonly string[] {
  const isOneLine = !value.includes('\n') && !value.includes('\r')
  return isOneLine ? [value] : value.split(LINE_BREAK)
}

const LINE_BREAK = /\r\n|\n|\r/

/** Server-sent events on a response, which belongs to the stream from then on. */
export function openEventStream(
  response: ServerResponse,
  { headers, heartbeat, slowMs }: EventStreamOptions = {}
): EventStream {
  if (headers !== undefined) response.writeHead(200, headers)
  const isOpen = () => !response.destroyed && !response.writableEnded
  const timer = heartbeat && setInterval(beat, heartbeat.everyMs)
  response.once('close', () => clearInterval(timer))

  function beat(): void {
    // It would only pile up for a client that reads nothing.
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
