import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ScenarioContext } from '../context.ts'
import { BodyAborted } from '../contract.ts'
import { type RequestContext, use } from '../pipeline/request-context.ts'
import { uploadSlow } from '../scenario/streaming.ts'
import { unbroken } from './body.ts'

const SECOND_MS = 1000

interface Reader {
  readonly context: ScenarioContext
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** Pieces of a body at a given rate: what is not read yet waits with the sender. */
export async function* throttled(
  { context, request, response }: Reader,
  bytesPerSecond: number
): AsyncGenerator<Buffer> {
  // A body that is small enough to be here at once could be held for hours otherwise.
  let left = context.options.maxDelay * SECOND_MS
  for await (const chunk of unbroken(request)) {
    const milliseconds = Math.min((chunk.length / bytesPerSecond) * SECOND_MS, left)
    left -= milliseconds
    if (!(await context.held.delay(response, milliseconds))) throw new BodyAborted()
    yield chunk
  }
}

/** The body of a call piece by piece, for endpoints that never hold it whole. */
export function bodyChunks(call: RequestContext): AsyncIterable<Buffer> {
  const rate = use(call, uploadSlow)
  return rate === undefined ? unbroken(call.request) : throttled(call, rate)
}
