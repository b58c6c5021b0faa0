import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  EVENT_STREAM_HEADERS,
  EVENT_STREAM_TYPE,
  type EventStream,
  openEventStream
} from '../../../kernel/event-stream.ts'
import type { BoxContext } from '../context.ts'
import { COMMON_HEADERS, InvalidPaging } from '../contract.ts'
import { type ChangeFilter, findHead, readFeed, UNSETTLED_MS } from './feed.ts'
import type { Follower } from './followers.ts'

/** Interval of heartbeats, because proxies close idle connections. */
const HEARTBEAT_MS = 15_000
/** Maximum time for a client to read the buffered data. */
const SLOW_MS = 30_000
const RETRY_MS = 2_000
const PAGE = 100
const PAGE_BYTES = 256 * 1024

const HEADERS = {
  ...COMMON_HEADERS,
  ...EVENT_STREAM_HEADERS,
  'content-type': EVENT_STREAM_TYPE
}

export function wantsEvents({ headers, method }: FastifyRequest): boolean {
  return method === 'GET' && (headers.accept ?? '').includes(EVENT_STREAM_TYPE)
}

/** A whole number of a request; undefined if it is missing or empty. */
export function readPosition(text: string | undefined, name: string): number | undefined {
  if (text === undefined || text === '') return undefined
  if (!/^\d{1,16}$/.test(text)) throw new InvalidPaging(name)
  return Number(text)
}

/** Sends changes as they happen, until the client disconnects or the service stops. */
export async function streamChanges(
  { store, followers, kernel }: BoxContext,
  reply: FastifyReply,
  subject: ChangeFilter,
  since: number | undefined
): Promise<void> {
  const follower = followers.follow(subject.box, kernel.clientIp(reply.request.raw))
  // Registered before the first `await`, so that a client that disconnects meanwhile is released.
  reply.raw.once('close', follower.end)
  if (reply.raw.destroyed) follower.end()
  const from =
    since ??
    (await findHead(store, subject).catch((error) => {
      follower.end()
      throw error
    }))
  reply.hijack()
  const stream = openEventStream(reply.raw, { headers: HEADERS, slowMs: SLOW_MS })
  try {
    await stream.send({ retry: RETRY_MS, id: from })
    await follow(store, stream, subject, follower, from)
    stream.end()
  } catch {
    // The database is unavailable: the client reconnects and receives the error as a response.
    reply.raw.destroy()
  } finally {
    follower.end()
  }
}

async function follow(
  store: BoxContext['store'],
  stream: EventStream,
  subject: ChangeFilter,
  follower: Follower,
  from: number
): Promise<void> {
  let since = from
  let told = from
  while (!follower.over) {
    const page = await readFeed(store, subject, since, PAGE, PAGE_BYTES)
    const { entries, next, lost, more, newest } = page
    if (lost) {
      await stream.send({ event: 'reset', id: next, data: `{"seq":${next}}` })
      told = next
    }
    for (const { seq, text } of entries) {
      if (follower.over) return
      await stream.send({ id: seq, data: text })
      told = seq
    }
    since = next
    if (more || lost) continue
    if (next !== told && entries.length === 0) {
      await stream.send({ id: next })
      told = next
    }
    await rest(stream, follower, next >= newest ? HEARTBEAT_MS : UNSETTLED_MS)
  }
}

/** Waits for changes; sends a heartbeat if there were none. */
async function rest(stream: EventStream, follower: Follower, milliseconds: number) {
  const isTimeUp = await follower.wait(milliseconds)
  if (isTimeUp && milliseconds >= HEARTBEAT_MS) await stream.comment('')
}
