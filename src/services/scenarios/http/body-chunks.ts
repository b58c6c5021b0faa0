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

/** Reads a body at a given rate; what is not read yet stays with the sender. */
export async function* throttled(
  { context, request, response }: Reader,
  bytesPerSecond: number
): AsyncGenerator<Buffer> {
  // Limits the total delay; a low rate could otherwise delay even a small body for hours.
  let left = context.options.maxDelay * SECOND_MS
  for await (const chunk of unbroken(request)) {
    const milliseconds = Math.min((chunk.length / bytesPerSecond) * SECOND_MS, left)
    left -= milliseconds
    if (!(await context.held.delay(response, milliseconds))) throw new BodyAborted()
    yield chunk
  }
}

/** Body of a request in chunks, for endpoints that do not buffer it. */
export function bodyChunks(call: RequestContext): AsyncIterable<Buffer> {
  const rate = use(call, uploadSlow)
  return rate === undefined ? unbroken(call.request) : throttled(call, rate)
}
