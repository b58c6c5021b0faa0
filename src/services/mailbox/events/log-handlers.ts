import { setImmediate as nextTurn } from 'node:timers/promises'
import { readJobs } from '../../../kernel/outbox/job-states.ts'
import type { Handler } from '../api/route.ts'
import { InvalidCursorValue } from '../messages/contract.ts'
import { LOG_WINDOW } from '../store/log-part.ts'
import { type DeliveryState, findEvent, readEventPage } from '../store/read-events.ts'
import { accountsToRead, namesToRead } from './choose-events.ts'
import { EventNotFound } from './contract.ts'
import { presentEvent } from './present.ts'
import { wantEventsOf } from './want-events.ts'

/** Of the bodies on one page. */
const MAX_PAGE_BYTES = 1024 * 1024

export interface EventQuery {
  readonly account?: string
  readonly event?: readonly string[]
  readonly since?: string
  readonly delivery?: DeliveryState
  readonly cursor?: string
  readonly pageSize: number
}

/** `GET /v1/events`, the newest first. */
export const listEvents: Handler<EventQuery> = async (context, { caller, query, signal }) => {
  const { database } = context.kernel
  const accounts = accountsToRead(caller, query.account)
  await wantEventsOf(context, accounts)
  const filter = {
    accounts,
    names: namesToRead('event', query.event),
    since: query.since === undefined ? undefined : Date.parse(query.since),
    delivery: query.delivery
  }
  const size = { limit: query.pageSize, maxBytes: MAX_PAGE_BYTES, window: LOG_WINDOW }
  const readPage = (before: number | undefined) =>
    database.read(function* () {
      const { events, hasMore, next } = yield* readEventPage(filter, { before }, size)
      const jobs = yield* readJobs(events.flatMap(({ job }) => job ?? []))
      return { events: events.map((event) => presentEvent(event, jobs)), hasMore, next }
    })
  let page = await readPage(query.cursor === undefined ? undefined : parseCursor(query.cursor))
  while (page.events.length === 0 && page.hasMore) {
    await nextTurn()
    signal.throwIfAborted()
    page = await readPage(page.next)
  }
  return { events: page.events, nextPageCursor: page.hasMore ? String(page.next) : null }
}

/** Number of an event. */
export function parseCursor(cursor: string): number {
  if (!/^\d{1,15}$/.test(cursor)) throw new InvalidCursorValue()
  return Number(cursor)
}

/** `GET /v1/events/:event` */
export const showEvent: Handler = async (context, { caller, params: { event = '' } }) => {
  const found = await context.kernel.database.read(function* () {
    const row = yield* findEvent(event, caller.accounts)
    const jobs = yield* readJobs(row?.job == null ? [] : [row.job])
    return row && presentEvent(row, jobs)
  })
  if (found === undefined) throw new EventNotFound()
  return found
}
