import type { IncomingMessage, ServerResponse } from 'node:http'
import { unbroken } from './body.ts'
import { type Call, use } from './call.ts'
import { BodyAborted } from './contract.ts'
import type { Room } from './room.ts'
import { uploadSlow } from './scenario/streaming.ts'

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
  for await (const chunk of unbroken(request)) {
    const milliseconds = (chunk.length / bytesPerSecond) * 1000
    if (!(await room.held.hold(response, milliseconds))) throw new BodyAborted()
    yield chunk
  }
}

/** The body of a call piece by piece, for endpoints that never hold it whole. */
export function bodyChunks(call: Call): AsyncIterable<Buffer> {
  const rate = use(call, uploadSlow)
  return rate === undefined ? unbroken(call.request) : paced(call, rate)
}
