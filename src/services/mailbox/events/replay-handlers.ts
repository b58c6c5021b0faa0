import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Handler } from '../api/route.ts'
import type { MailboxContext } from '../context.ts'
import { invalidInput } from '../contract.ts'
import { readEventAccounts, readWebhookRules } from '../store/events.ts'
import { LOG_WINDOW } from '../store/log-part.ts'
import { type FoundEvent, findEvent, readEventRows } from '../store/read-events.ts'
import { replayEvent } from '../store/replay-events.ts'
import { accountsToRead, namesToRead } from './choose-events.ts'
import { EventNotFound, ReceiverMissing } from './contract.ts'
import { parseCursor } from './log-handlers.ts'
import { hasOwnReceiver, hasReceiver } from './webhook-rules.ts'

/** Of one request. */
const MAX_REPLAYED = 1000
/** Of one transaction, which other deliveries wait for. */
const SIZE = { limit: 50, window: LOG_WINDOW }

/** `POST /v1/events/:event/replay` */
export const replayOne: Handler = async (context, { caller, params: { event: id = '' } }) => {
  const event = await context.kernel.database.read(() => findEvent(id, caller.accounts))
  if (event === undefined) throw new EventNotFound()
  const [sendable] = await withReceiver(context, [event])
  if (sendable === undefined) throw new ReceiverMissing(event.account)
  await replay(context, [event], new Set())
  return { id, queued: true }
}

export interface ReplayRequest {
  readonly account?: string
  readonly event?: readonly string[]
  readonly since?: string
  readonly failed?: boolean
  readonly cursor?: string
}

/** `POST /v1/events/replay`: from the oldest on; those without a receiver are left out. */
export const replayMany: Handler<unknown, ReplayRequest> = async (
  context,
  { caller, body, signal }
) => {
  if (body.since === undefined && body.failed !== true) {
    throw invalidInput([{ key: 'since', message: 'is required unless failed is true' }])
  }
  const filter = {
    accounts: accountsToRead(caller, body.account),
    names: namesToRead('event', body.event),
    since: body.since === undefined ? undefined : Date.parse(body.since),
    delivery: body.failed === true ? ('failed' as const) : undefined
  }
  const { database } = context.kernel
  let after = body.cursor === undefined ? 0 : parseCursor(body.cursor)
  let queued = 0
  const renewed = new Set<string>()
  for (let seen = 0; seen < MAX_REPLAYED; ) {
    await nextTurn()
    signal.throwIfAborted()
    const from = after
    const page = await database.read(() => readEventRows(filter, from, SIZE))
    queued += await replay(context, await withReceiver(context, page.events), renewed)
    if (!page.hasMore) return { queued, nextPageCursor: null }
    seen += page.events.length
    after = page.next
  }
  return { queued, nextPageCursor: String(after) }
}

/** Those that have a receiver. */
async function withReceiver(
  { kernel }: Pick<MailboxContext, 'kernel'>,
  events: readonly FoundEvent[]
): Promise<readonly FoundEvent[]> {
  if (events.length === 0) return events
  return kernel.database.read(function* () {
    const rules = yield* readWebhookRules()
    const accounts = yield* readEventAccounts(events.map(({ account }) => account))
    return events.filter(({ account, receiver }) => {
      const settings = accounts.get(account)?.settings
      const hasOwn = receiver !== null || (settings !== undefined && hasOwnReceiver(settings))
      return hasReceiver(rules, hasOwn)
    })
  })
}

/**
 * How many were queued; others wait to be sent already. `renewed` has the accounts with an event that
 * got a new job: later events of theirs get one too, because jobs run in the order of their numbers.
 */
async function replay(
  { kernel: { database, now } }: Pick<MailboxContext, 'kernel'>,
  events: readonly FoundEvent[],
  renewed: Set<string>
): Promise<number> {
  if (events.length === 0) return 0
  const time = now().getTime()
  const results = await database.write(
    function* () {
      const added = new Set(renewed)
      const results = []
      for (const event of events) {
        const result = yield* replayEvent(event, added.has(event.account), time)
        if (result === 'new') added.add(event.account)
        results.push(result)
      }
      return results
    },
    { readsCommitted: true }
  )
  for (const [index, result] of results.entries()) {
    const account = events[index]?.account
    if (result === 'new' && account !== undefined) renewed.add(account)
  }
  return results.filter((result) => result !== 'waiting').length
}
