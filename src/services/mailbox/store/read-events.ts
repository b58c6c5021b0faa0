/** Reads of the event log. */
import { placeholders } from '../../../kernel/database/groups.ts'
import { query, type SqlValue, type Transaction } from '../../../kernel/database/transaction.ts'
import { DEAD_JOBS, WAITING_JOBS } from '../../../kernel/outbox/job-states.ts'
import type { EventRow } from './events.ts'
import { type EventRange, type LogPart, partOf } from './log-part.ts'

export const DELIVERY_STATES = ['none', 'waiting', 'delivered', 'failed'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

export interface EventFilter {
  /** Ids; all if undefined. */
  readonly accounts: readonly string[] | undefined
  /** Of events; all if undefined. */
  readonly names?: readonly string[] | undefined
  /** Unix milliseconds: none that were stored before. */
  readonly since?: number | undefined
  readonly delivery?: DeliveryState | undefined
}

export interface PageSize {
  readonly limit: number
  /** Of all bodies; a page has at least one event. */
  readonly maxBytes: number
  /** How many numbers are looked at if few of the events may fit the filter. */
  readonly window: number
}

export interface EventPage {
  readonly events: readonly EventRow[]
  /** Whether there may be more events. A page with more may be short, or have none. */
  readonly hasMore: boolean
  /** The number after or before which the next page begins. */
  readonly next: number
  /** Number of the last event of the log, whatever it is about; read before the others. */
  readonly head: number
}

/** Bodies are read for as many events as the page can have. */
export function* readEventPage(
  filter: EventFilter,
  range: EventRange,
  { limit, maxBytes, window }: PageSize
): Transaction<EventPage> {
  const head = yield* readHead()
  if (filter.accounts?.length === 0) return { events: [], hasMore: false, next: head, head }
  const part = yield* partOf(range, head, isSelective(filter) ? window : undefined)
  const { sql, args } = yield* conditionOf(filter, range, part)
  const order = 'after' in range ? 'number' : 'number desc'
  const sizes = yield* query<{ number: number; size: number }>(
    `select number, size from events where ${sql} order by ${order} limit ?`,
    ...[...args, limit + 1]
  )
  const fitting = takeFitting(sizes.slice(0, limit), maxBytes)
  const [first, last] = [fitting[0], fitting.at(-1)].map((row) => row?.number ?? 0)
  const events =
    fitting.length === 0
      ? []
      : yield* query<EventRow>(
          `select number, id, account, name, path, body, job, created_at from events
           where ${sql} and number between ? and ? order by ${order}`,
          ...[...args, Math.min(first ?? 0, last ?? 0), Math.max(first ?? 0, last ?? 0)]
        )
  const isCut = sizes.length > fitting.length
  const next = isCut ? (last ?? 0) : part.end
  return { events, hasMore: isCut || !part.isLast, next, head }
}

/** Whether events that do not fit are looked at too; those of accounts have an index. */
function isSelective({ names, delivery }: EventFilter): boolean {
  return names !== undefined || delivery !== undefined
}

/** Events after a number, without their bodies. */
export function* readEventRows(
  filter: EventFilter,
  after: number,
  { limit, window }: Omit<PageSize, 'maxBytes'>
): Transaction<Pick<EventPage, 'hasMore' | 'next'> & { events: readonly FoundEvent[] }> {
  const head = yield* readHead()
  if (filter.accounts?.length === 0) return { events: [], hasMore: false, next: head }
  const part = yield* partOf({ after }, head, isSelective(filter) ? window : undefined)
  const { sql, args } = yield* conditionOf(filter, { after }, part)
  const events = yield* query<FoundEvent>(
    `select number, id, account, job, receiver from events where ${sql} order by number limit ?`,
    ...[...args, limit]
  )
  const last = events.length === limit ? events.at(-1) : undefined
  const hasMore = last !== undefined || !part.isLast
  return { events, hasMore, next: last?.number ?? part.end }
}

export type FoundEvent = Pick<EventRow, 'number' | 'id' | 'account' | 'job'> & {
  receiver: string | null
}

function takeFitting<Row extends { size: number }>(rows: readonly Row[], maxBytes: number) {
  let left = maxBytes
  const end = rows.findIndex(({ size }, index) => {
    left -= size
    return left < 0 && index > 0
  })
  return end === -1 ? rows : rows.slice(0, end)
}

/** Zero if there are no events. */
export function* readHead(): Transaction<number> {
  const [row] = yield* query<{ head: number | null }>('select max(number) as head from events')
  return row?.head ?? 0
}

interface Condition {
  readonly sql: string
  readonly args: readonly SqlValue[]
}

const DELIVERIES: Readonly<Record<DeliveryState, string>> = {
  none: 'job is null',
  waiting: `job in (${WAITING_JOBS})`,
  failed: `job in (${DEAD_JOBS})`,
  delivered: `job is not null and job not in (${WAITING_JOBS}) and job not in (${DEAD_JOBS})`
}

function* conditionOf(
  { accounts, names, since, delivery }: EventFilter,
  range: EventRange,
  { end, isLast }: LogPart
): Transaction<Condition> {
  const parts: Condition[] = []
  if (accounts !== undefined) parts.push(among('account', accounts))
  if (names !== undefined) parts.push(among('name', names))
  if ('after' in range) parts.push({ sql: 'number > ?', args: [range.after] })
  else if (range.before !== undefined) parts.push({ sql: 'number < ?', args: [range.before] })
  if (!isLast) parts.push({ sql: 'after' in range ? 'number <= ?' : 'number >= ?', args: [end] })
  if (delivery !== undefined) parts.push({ sql: DELIVERIES[delivery], args: [] })
  if (since !== undefined) {
    // Numbers follow the time, so that older events need not be looked at.
    const [row] = yield* query<{ number: number }>(
      'select number from events where created_at >= ? order by created_at, number limit 1',
      since
    )
    if (row === undefined) parts.push({ sql: '1 = 0', args: [] })
    else parts.push({ sql: 'number >= ?', args: [row.number] })
  }
  if (parts.length === 0) return { sql: '1 = 1', args: [] }
  return {
    sql: parts.map(({ sql }) => sql).join(' and '),
    args: parts.flatMap(({ args }) => args)
  }
}

function among(column: string, values: readonly string[]): Condition {
  return { sql: `${column} in (${placeholders(values.length)})`, args: values }
}

/** Undefined also for events of other accounts. */
export function* findEvent(
  id: string,
  accounts: readonly string[] | undefined
): Transaction<(EventRow & { receiver: string | null }) | undefined> {
  if (id.includes('\0')) return undefined
  const [row] = yield* query<EventRow & { receiver: string | null }>(
    `select number, id, account, name, path, body, job, receiver, created_at from events
     where id = ?`,
    id
  )
  return row !== undefined && accounts?.includes(row.account) !== false ? row : undefined
}
