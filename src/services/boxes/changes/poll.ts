import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BoxContext } from '../context.ts'
import { ChangesForgotten, InvalidPaging, MAX_LIMIT } from '../contract.ts'
import { parseBoxPath } from '../http/box-path.ts'
import type { BoxTarget } from '../http/box-target.ts'
import { checkKeyForm, findKey } from '../http/credentials.ts'
import { sendJson } from '../http/response.ts'
import { readFilter } from '../list/parse-list-query.ts'
import {
  type ChangeFilter,
  type FeedPage,
  findHead,
  readFeed,
  readWrittenFeed,
  UNSETTLED_MS
} from './feed.ts'
import { readPosition } from './stream.ts'

const DEFAULT_CHANGES = 100
/** A response ends with the record that exceeds this size; the client asks for the rest. */
const RESPONSE_BYTES = 256 * 1024
const MAX_WAIT_S = 60
const SECOND_MS = 1000
const LOOK_AGAIN_MS = 1000
const NOW = 'now'

interface PollOptions {
  /** Undefined for all stored changes. */
  readonly since: number | typeof NOW | undefined
  readonly limit: number
  readonly waitMs: number
}

function readAsked(parameters: URLSearchParams): PollOptions {
  const since = parameters.get('since') ?? undefined
  const limit = readPosition(parameters.get('limit') ?? undefined, 'limit') ?? DEFAULT_CHANGES
  const wait = readPosition(parameters.get('wait') ?? undefined, 'wait') ?? 0
  if (wait > MAX_WAIT_S) throw new InvalidPaging(`wait (up to ${MAX_WAIT_S} seconds)`)
  return {
    since: since === NOW ? NOW : readPosition(since, 'since'),
    limit: Math.min(limit, MAX_LIMIT) || MAX_LIMIT,
    waitMs: wait * SECOND_MS
  }
}

/** `GET /_changes/<box>`: the changes after a number, immediately or by long polling. */
export async function handleChanges(
  context: BoxContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { segments, parameters }: BoxTarget
): Promise<void> {
  const { box, collection } = parseBoxPath(segments.slice(1), context.options)
  const key = findKey(request.headers)
  checkKeyForm(key)
  const subject = { box, collection, key, filter: readFilter(parameters) }
  const { since, limit, waitMs } = readAsked(parameters)
  const from = since === NOW ? await findHead(context.store, subject) : since
  let page = await readWrittenFeed(context.store, subject, from, limit, RESPONSE_BYTES)
  if (page.entries.length === 0 && !page.lost && waitMs > 0) {
    page = await waitForChanges(context, reply, subject, page.next, limit, waitMs)
  }
  if (page.lost) throw new ChangesForgotten()
  const changes = page.entries.map(({ text }) => text).join()
  const text = `{"seq":${page.next},"changes":[${changes}],"more":${page.more}}`
  sendJson(reply, text, ['cache-control', 'no-store'])
}

async function waitForChanges(
  { store, followers, kernel }: BoxContext,
  reply: FastifyReply,
  subject: ChangeFilter,
  from: number,
  limit: number,
  waitMs: number
): Promise<FeedPage> {
  const follower = followers.follow(subject.box, kernel.clientIp(reply.request.raw))
  reply.raw.once('close', follower.end)
  if (reply.raw.destroyed) follower.end()
  const deadline = performance.now() + waitMs
  try {
    for (let since = from; ; ) {
      const page = await readFeed(store, subject, since, limit, RESPONSE_BYTES)
      const left = deadline - performance.now()
      if (page.entries.length > 0 || page.lost || left <= 0 || follower.over) return page
      since = page.next
      await follower.wait(Math.min(left, since >= page.newest ? LOOK_AGAIN_MS : UNSETTLED_MS))
    }
  } finally {
    follower.end()
  }
}
