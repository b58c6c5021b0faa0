import type { Database } from '../../../kernel/database/database.ts'
import { createNotifications } from '../../../kernel/database/notifications.ts'
import { readHead } from '../store/read-events.ts'
import { type StateChanged, stateOfTopic } from '../store/state-topics.ts'
import { EVENTS_TOPIC } from './record-events.ts'

/** What happens in all processes that share the tables. */
export interface EventFeed {
  /** Calls back when there may be further events; the returned function ends it. */
  onEvents: (listener: () => void) => () => void
  /** States of all accounts; best effort, because they are not stored. */
  onState: (listener: (change: StateChanged) => void) => () => void
  stop: () => void
}

export function openFeed(database: Database): EventFeed {
  const { subscribe, stop } = createNotifications(
    database,
    async () => new Map([[EVENTS_TOPIC, await database.read(readHead)]]),
    { areTopics: true }
  )
  return {
    onEvents: (listener) => subscribe(EVENTS_TOPIC, listener),
    onState: (listener) =>
      database.channel.subscribe((topic) => {
        const change = topic === undefined ? undefined : stateOfTopic(topic)
        if (change !== undefined) listener(change)
      }),
    stop
  }
}
