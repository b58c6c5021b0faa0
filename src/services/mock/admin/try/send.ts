import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { parseRequestTarget } from '../../../../kernel/request-target.ts'
import type { Documents } from '../../documents.ts'
import type { Exchange } from '../../engine/exchange.ts'
import { type DescribedEntry, describeEntry } from '../../journal/describe-entry.ts'
import { MAX_BODY_BYTES, unrecordedEntry } from '../../journal/journal.ts'
import { discard } from '../../proxy/discard.ts'
import { checkRequest, headersOf, type RawRequest } from './raw-request.ts'

/** Time for the beginning of a response that an upstream streams. */
const STREAM_MS = 2000

/** A request of the window and its result; the number is 0 if the journal does not have it. */
export type SentEntry = DescribedEntry

/**
 * Gives a request to the mock inside this process, so it can reach no other server. It counts as a
 * request of the client that operates the window: if that came through a proxy, so did this.
 */
export async function sendToMock(
  documents: Documents,
  given: RawRequest,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<SentEntry> {
  const checked = checkRequest(given)
  const { raw } = request
  const { path, query } = parseRequestTarget(checked.target)
  const engine = documents.engine()
  const gone = new AbortController()
  const abort = () => gone.abort()
  reply.raw.once('close', abort)
  const exchange = await engine.handle(
    {
      method: checked.method,
      path,
      query,
      headers: { ...headersOf(checked, raw.headers.host ?? ''), ...passageOf(raw.headers) },
      httpVersion: raw.httpVersion,
      body: checked.body,
      request: raw
    },
    engine.streams ? gone.signal : undefined
  )
  reply.raw.off('close', abort)
  exchange.release?.()
  return describe(documents, exchange)
}

/** Headers that tell of a proxy between the client and the mock. */
function passageOf(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) =>
      /^(?:via|forwarded|x-real-ip|x-forwarded.*)$/.test(name)
    )
  )
}

async function describe({ journal, mask }: Documents, exchange: Exchange): Promise<SentEntry> {
  const { entryId, outgoing } = exchange
  const recorded = entryId === undefined ? undefined : journal.find(entryId)
  const entry = recorded ?? unrecordedEntry(exchange)
  if (outgoing.stream === undefined) return describeEntry(entry, mask)
  const { body, isCut } = await readBeginning(outgoing.stream)
  const bytes = body.length + (isCut ? 1 : 0)
  return describeEntry({ ...entry, responseBody: body, responseBytes: bytes }, mask)
}

async function readBeginning(
  stream: NonNullable<Exchange['outgoing']['stream']>
): Promise<{ body: Buffer; isCut: boolean }> {
  const chunks: Buffer[] = []
  let size = 0
  const timer = setTimeout(() => discard(stream), STREAM_MS)
  try {
    for await (const chunk of stream) {
      chunks.push(chunk)
      size += chunk.length
      if (size > MAX_BODY_BYTES) break
    }
  } catch {
    // What arrived before the end of the connection is shown.
  } finally {
    clearTimeout(timer)
    discard(stream)
  }
  const body = Buffer.concat(chunks)
  return { body: body.subarray(0, MAX_BODY_BYTES), isCut: size > MAX_BODY_BYTES }
}
