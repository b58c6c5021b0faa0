import type { ServerResponse } from 'node:http'
import {
  EVENT_STREAM_HEADERS,
  type EventStream,
  HEARTBEAT,
  openEventStream
} from '../../../kernel/event-stream.ts'
import { createHeldRequests } from '../../../kernel/held-requests.ts'
import type { Kernel } from '../../../kernel/service.ts'
import { type Filter, isWanted, selectEntries } from '../journal/filter.ts'
import type { Journal, JournalEntry } from '../journal/journal.ts'
import type { Mask } from '../journal/mask.ts'
import { journalRow } from './journal-page.ts'

const { 'x-accel-buffering': unbuffered, ...TYPE_AND_CACHE } = EVENT_STREAM_HEADERS
const HEADERS = {
  ...TYPE_AND_CACHE,
  'x-content-type-options': 'nosniff',
  'x-accel-buffering': unbuffered
}
/** Rows are sent in batches, because under load they would arrive faster than they can be read. */
const BATCH_MS = 200
const MAX_BATCH = 100
/** Maximum number of live streams; further pages are shown without live updates. */
const MAX_STREAMS = 32
const MAX_WAITING_BYTES = 1024 * 1024

type Holding = Pick<Kernel, 'held' | 'clientIp'>

export interface Live {
  /** Sends rows as they are recorded. False if there are too many streams, or after `leave`. */
  follow: (response: ServerResponse, filter: Filter) => boolean
  leave: () => void
}

export function createLive(journal: Journal, mask: Mask, { held, clientIp }: Holding): Live {
  const slots = createHeldRequests(MAX_STREAMS, held)
  const streams = new Set<EventStream>()
  let isLeaving = false

  function send(stream: EventStream, entries: readonly JournalEntry[]): void {
    // A client that does not read misses rows, so that the memory for it stays bounded.
    if (entries.length === 0 || stream.waitingBytes > MAX_WAITING_BYTES) return
    const rows = entries.map((entry) => journalRow(entry, mask).markup).join('')
    stream.send({ event: 'rows', id: entries[0]?.id ?? '', data: JSON.stringify(rows) })
  }

  return {
    follow(response, filter) {
      const free = isLeaving ? undefined : slots.hold(clientIp(response.req))
      if (free === undefined) return false
      const stream = openEventStream(response, { headers: HEADERS, heartbeat: HEARTBEAT })
      streams.add(stream)
      stream.send({ retry: 2000 })
      let waiting: JournalEntry[] = []
      send(stream, selectEntries(journal, { ...filter, limit: MAX_BATCH }))
      const unwatch = journal.watch((entry) => {
        if (waiting.length < MAX_BATCH && isWanted(entry, filter)) waiting.unshift(entry)
      })
      const batches = setInterval(() => {
        send(stream, waiting)
        waiting = []
      }, BATCH_MS)
      response.once('close', () => {
        free()
        streams.delete(stream)
        unwatch()
        clearInterval(batches)
      })
      return true
    },
    leave() {
      isLeaving = true
      for (const stream of streams) stream.end()
    }
  }
}
