import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { COMMON_HEADERS, InvalidPaging } from '../contract.ts'
import type { BoxRoom } from '../room.ts'
import { findHead, readFeed, type Subject, UNSETTLED_MS } from './feed.ts'
import type { Follower } from './followers.ts'

const EVENT_STREAM = 'text/event-stream'
/** Proxies cut connections on which nothing is said. */
const HEARTBEAT_MS = 15_000
/** How long a client may take to read what waits for it. */
const SLOW_MS = 30_000
const RETRY_MS = 2_000
const PAGE = 100
const PAGE_BYTES = 1024 * 1024

const HEADERS = {
  ...COMMON_HEADERS,
  'content-type': EVENT_STREAM,
  'cache-control': 'no-store',
  // Some proxies collect an answer before they pass it on.
  'x-accel-buffering': 'no'
}

export function wantsEvents({ headers, method }: FastifyRequest): boolean {
  return method === 'GET' && (headers.accept ?? '').includes(EVENT_STREAM)
}

/** A number of ours, or nothing where a client begins. */
export function readPosition(text: string | undefined, name: string): number | undefined {
  if (text === undefined || text === '') return undefined
  if (!/^\d{1,16}$/.test(text)) throw new InvalidPaging(name)
  return Number(text)
}

/** Changes as they happen, until one of both sides goes. */
export async function streamChanges(
  { store, followers }: BoxRoom,
  reply: FastifyReply,
  subject: Subject,
  since: number | undefined
): Promise<void> {
  const follower = followers.follow(subject.box)
  // Before anything is waited for: whoever leaves meanwhile must not be kept for ever.
  reply.raw.once('close', follower.end)
  if (reply.raw.destroyed) follower.end()
  const from =
    since ??
    (await findHead(store, subject).catch((error) => {
      follower.end()
      throw error
    }))
  reply.hijack()
  const response = reply.raw.writeHead(200, HEADERS)
  try {
    await send(response, `retry: ${RETRY_MS}\nid: ${from}\n\n`)
    await follow(store, response, subject, follower, from)
    response.end()
  } catch {
    // The database is away: whoever is cut off comes back and learns it from the answer.
    response.destroy()
  } finally {
    follower.end()
  }
}

async function follow(
  store: BoxRoom['store'],
  response: ServerResponse,
  subject: Subject,
  follower: Follower,
  from: number
): Promise<void> {
  let since = from
  let told = from
  while (!follower.over) {
    const page = await readFeed(store, subject, since, PAGE, PAGE_BYTES)
    const { entries, next, lost, more, newest } = page
    if (lost) {
      await send(response, `event: reset\nid: ${next}\ndata: {"seq":${next}}\n\n`)
      told = next
    }
    for (const { seq, text } of entries) {
      if (follower.over) return
      await send(response, `id: ${seq}\ndata: ${text}\n\n`)
      told = seq
    }
    since = next
    if (more || lost) continue
    if (next !== told && entries.length === 0) {
      await send(response, `id: ${next}\n\n`)
      told = next
    }
    await rest(response, follower, next >= newest ? HEARTBEAT_MS : UNSETTLED_MS)
  }
}

/** Says that we are still here when there was nothing to tell. */
async function rest(response: ServerResponse, follower: Follower, milliseconds: number) {
  const isTimeUp = await follower.wait(milliseconds)
  if (isTimeUp && milliseconds >= HEARTBEAT_MS) await send(response, ':\n\n')
}

/** Whoever does not read is cut off, and may come back to where it was. */
function send(response: ServerResponse, text: string): Promise<void> {
  if (response.destroyed || response.write(text)) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(() => response.destroy(), SLOW_MS)
    function finish(): void {
      clearTimeout(timer)
      response.off('drain', finish).off('close', finish)
      resolve()
    }
    response.once('drain', finish).once('close', finish)
  })
}
