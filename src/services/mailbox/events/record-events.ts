import { lockUntilCommit, notify, type Transaction } from '../../../kernel/database/transaction.ts'
import { addJobs } from '../../../kernel/outbox/add-job.ts'
import { createJobId } from '../../../kernel/outbox/job-id.ts'
import { countEvents } from '../store/event-counts.ts'
import {
  type EventAccountRow,
  insertEvents,
  type NewEventRow,
  readEventAccounts,
  readWebhookRules
} from '../store/events.ts'
import { WEBHOOK_JOB, webhookLane } from '../webhooks/jobs.ts'
import { eventIdOf } from './event-id.ts'
import type { EventName } from './event-names.ts'
import { messageKeyOf } from './message-key.ts'
import { hasOwnReceiver, hasReceiver, isWanted, type WebhookRules } from './webhook-rules.ts'

/** Wakes the readers of events in all processes. */
export const EVENTS_TOPIC = 'events'

/**
 * How transactions with events are written: those of all processes wait for each other, so PostgreSQL
 * ends one whose process is paused.
 */
export const EVENT_WRITES = { maxIdleMs: 5_000 }

export interface NewEvent {
  readonly account: string
  readonly name: EventName
  /** What the event is about besides the account and its name; the id is made of it. */
  readonly key: readonly (string | number)[]
  readonly path?: string | undefined
  readonly specialUse?: string | undefined
  readonly data: object
  /** Of an account that is being removed: where the event is sent; sealed. */
  readonly receiver?: string | undefined
}

/**
 * Stores events with their webhooks in the transaction of the change they are about, as its last
 * step: the numbers of events grow in the order of the commits, so other transactions with events
 * wait for its end. An event that is stored already is not stored again, and one of an account that
 * is gone is not stored.
 */
export function* recordEvents(events: readonly NewEvent[], time: number): Transaction<void> {
  if (events.length === 0) return
  yield* lockEvents()
  const accounts = yield* readEventAccounts(events.map(({ account }) => account))
  yield* storeEvents(accounts, events, time)
}

/** For accounts that were read before, because they are removed in the same transaction. */
export function* recordEventsOf(
  account: EventAccountRow,
  events: readonly NewEvent[],
  time: number
): Transaction<void> {
  yield* lockEvents()
  yield* storeEvents(new Map([[account.id, account]]), events, time)
}

/** Before the rows of events are changed. */
function lockEvents(): Transaction<void> {
  return lockUntilCommit('events')
}

/** An account that was removed and added again has other ids. */
export function idOfEvent(
  { account, name, key }: Pick<NewEvent, 'account' | 'name' | 'key'>,
  { created_at }: Pick<EventAccountRow, 'created_at'>
): string {
  return eventIdOf([account, created_at, name, ...key])
}

function* storeEvents(
  accounts: ReadonlyMap<string, EventAccountRow>,
  events: readonly NewEvent[],
  time: number
): Transaction<void> {
  const rules = yield* readWebhookRules()
  const rows = new Map<string, NewEventRow>()
  for (const event of events) {
    const account = accounts.get(event.account)
    const row = account && rowOf(event, account, rules, time)
    if (row !== undefined && !rows.has(row.id)) rows.set(row.id, row)
  }
  const added = yield* insertEvents([...rows.values()])
  const stored = [...rows.values()].filter(({ id }) => added.has(id))
  if (stored.length === 0) return
  yield* countEvents(stored, time)
  const jobs = stored.flatMap(({ id, account, job }) => {
    if (job === null) return []
    // An event of the same id may have been removed from the log before its job.
    const key = `webhook:${id}:${time}`
    return [{ id: job, key, kind: WEBHOOK_JOB, lane: webhookLane(account), payload: id }]
  })
  yield* addJobs(jobs, time)
  yield* notify(EVENTS_TOPIC)
}

function rowOf(
  event: NewEvent,
  account: EventAccountRow,
  rules: WebhookRules,
  time: number
): NewEventRow {
  const { name, path, specialUse, data } = event
  const isSent = hasReceiver(rules, hasOwnReceiver(account.settings)) && isWanted(rules, event)
  const body = {
    serviceUrl: rules.serviceUrl,
    account: account.id,
    date: new Date(time).toISOString(),
    path,
    specialUse,
    event: name,
    data
  }
  return {
    id: idOfEvent(event, account),
    account: account.id,
    name,
    // PostgreSQL has no text with NUL.
    path: path?.replaceAll('\0', '\ufffd').toWellFormed() ?? null,
    body: JSON.stringify(body),
    message_key: name === 'messageNew' ? (messageKeyOf(data) ?? null) : null,
    job: isSent ? createJobId(time) : null,
    receiver: event.receiver ?? null,
    created_at: time
  }
}
