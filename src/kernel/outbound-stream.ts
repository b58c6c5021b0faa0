import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { OutboundError, toOutboundError } from './outbound-error.ts'

/** A body that is not in memory. */
export interface OutboundStream {
  /** Number of bytes; a source that has more or fewer is an error, and the connection is cut. */
  length: number
  /** Called for each attempt to send the body, because a stream can be read only once. */
  open: () => Readable
}

export interface OutboundResponse {
  status: number
  headers: Headers
  /** Must be read or destroyed. A cut connection is an `OutboundError` of it. */
  body: Readable
}

export function headersOf(response: Dispatcher.ResponseData): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(response.headers)) {
    for (const item of [value ?? []].flat()) headers.append(name, item)
  }
  return headers
}

/** Passes the body on as it arrives, up to `maxBytes`. */
export function toStreamed(response: Dispatcher.ResponseData, maxBytes: number): OutboundResponse {
  const source = response.body
  // An error that comes after the stream was destroyed belongs to no reader.
  source.on('error', () => {})
  const body = Readable.from(limited(source, maxBytes), { objectMode: false })
  // A generator that was never started does not end its source.
  body.once('close', () => source.destroy())
  return { status: response.statusCode, headers: headersOf(response), body }
}

async function* limited(source: Readable, maxBytes: number): AsyncGenerator<Uint8Array> {
  let left = maxBytes
  try {
    for await (const chunk of source) {
      left -= chunk.length
      if (left < 0) throw new OutboundError('TOO_LARGE')
      yield chunk
    }
  } catch (error) {
    throw toOutboundError(error)
  }
}
