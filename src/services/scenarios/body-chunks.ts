import type { IncomingMessage, ServerResponse } from 'node:http'
import { unbroken } from './body.ts'
import { type Call, use } from './call.ts'
import { BodyAborted } from './contract.ts'
import type { Room } from './room.ts'
import { uploadSlow } from './scenario/streaming.ts'

const SECOND_MS = 1000

interface Reader {
  readonly room: Room
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** Pieces of a body at a given rate: what is not read yet waits with the sender. */
export async function* paced(
  { room, request, response }: Reader,
  bytesPerSecond: number
): AsyncGenerator<Buffer> {
  // A body that is small enough to be here at once could be held for hours otherwise.
  let left = room.options.maxDelay * SECOND_MS
  for await (const chunk of unbroken(request)) {
    const milliseconds = Math.min((chunk.length / bytesPerSecond) * SECOND_MS, left)
    left -= milliseconds
    if (!(await room.held.hold(response, milliseconds))) throw new BodyAborted()
    yield chunk
  }
}

/** The body of a call piece by piece, for endpoints that never hold it whole. */
export function bodyChunks(call: Call): AsyncIterable<Buffer> {
  const rate = use(call, uploadSlow)
  return rate === undefined ? unbroken(call.request) : paced(call, rate)
}
