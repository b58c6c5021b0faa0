import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from '../../../kernel/database/database.ts'
import { LOG_WINDOW } from '../store/log-part.ts'
import { findEvent, readEventPage, readHead } from '../store/read-events.ts'
import type { SelectAccounts } from './choose-events.ts'
import type { EventName } from './event-names.ts'
import type { EventFeed } from './feed.ts'
import type { StreamReader } from './stream-reader.ts'

const PAGE = { limit: 100, maxBytes: 1024 * 1024, window: LOG_WINDOW }

/** Where a stream begins. */
export interface Position {
  /** Number of the event that the client has received last. */
  readonly after: number
  /** The id of a client that is not stored any more: events may be missing. */
  readonly lostId?: string
}

/** Without an id a stream begins with the next event, after an unknown one with all that is stored. */
export function findPosition(
  database: Pick<Database, 'read'>,
  id: string | undefined,
  accounts: readonly string[] | undefined
): Promise<Position> {
  return database.read(function* () {
    if (id === undefined) return { after: yield* readHead() }
    const event = yield* findEvent(id, accounts)
    return event === undefined ? { after: 0, lostId: id } : { after: event.number }
  })
}

export interface SentEvents {
  readonly select: SelectAccounts
  readonly names: readonly EventName[] | undefined
  readonly position: Position
}

/** Sends stored events in their order, and further ones as they are stored, until the end. */
export async function sendEvents(
  { database, feed }: { readonly database: Pick<Database, 'read'>; readonly feed: EventFeed },
  reader: StreamReader,
  { select, names, position }: SentEvents
): Promise<void> {
  const unsubscribe = feed.onEvents(reader.wake)
  let { after } = position
  try {
    await reader.run(async (stream) => {
      if (position.lostId !== undefined) {
        await stream.send({ event: 'gap', data: JSON.stringify({ lastEventId: position.lostId }) })
      }
      while (reader.isOpen()) {
        const filter = { accounts: select(reader.accounts()), names }
        const from = after
        const page = await database.read(() => readEventPage(filter, { after: from }, PAGE))
        if (page.head < after) {
          // The tables were reset.
          after = 0
          continue
        }
        for (const { id, body, number } of page.events) {
          if (!reader.isOpen()) return
          await stream.send({ id, event: 'message', data: body })
          after = number
        }
        if (page.hasMore) {
          after = page.next
          await nextTurn()
          continue
        }
        // Events of others need not be looked at again.
        after = Math.max(after, page.head)
        await reader.wait()
      }
    })
  } finally {
    unsubscribe()
  }
}
