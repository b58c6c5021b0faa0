import type { ServerResponse } from 'node:http'
import { type Filter, isWanted, selectEntries } from '../journal/filter.ts'
import type { Journal, JournalEntry } from '../journal/journal.ts'
import type { Mask } from '../journal/mask.ts'
import { journalRow } from './journal-page.ts'

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  // nginx would hold events back otherwise.
  'x-accel-buffering': 'no'
}
/** Rows are sent in batches: under load nobody reads single ones. */
const BATCH_MS = 200
const MAX_BATCH = 100
const HEARTBEAT_MS = 15_000
/** Onlookers beyond this number see the page without its going on. */
const MAX_STREAMS = 32
const MAX_WAITING_BYTES = 1024 * 1024

export interface Live {
  /** Sends rows as they come; false when too many look on already, or none may any more. */
  follow: (response: ServerResponse, filter: Filter) => boolean
  leave: () => void
}

export function createLive(journal: Journal, mask: Mask): Live {
  const streams = new Set<ServerResponse>()
  let isLeaving = false

  function send(response: ServerResponse, entries: readonly JournalEntry[]): void {
    // A reader that takes nothing misses rows, and costs no memory.
    if (entries.length === 0 || response.writableLength > MAX_WAITING_BYTES) return
    const rows = entries.map((entry) => journalRow(entry, mask).markup).join('')
    response.write(`event: rows\nid: ${entries[0]?.id}\ndata: ${JSON.stringify(rows)}\n\n`)
  }

  return {
    follow(response, filter) {
      if (isLeaving || streams.size >= MAX_STREAMS) return false
      streams.add(response)
      response.writeHead(200, HEADERS)
      response.write('retry: 2000\n\n')
      let waiting: JournalEntry[] = []
      send(response, selectEntries(journal, { ...filter, limit: MAX_BATCH }))
      const unwatch = journal.watch((entry) => {
        if (waiting.length < MAX_BATCH && isWanted(entry, filter)) waiting.unshift(entry)
      })
      const batches = setInterval(() => {
        send(response, waiting)
        waiting = []
      }, BATCH_MS)
      const heartbeat = setInterval(() => response.write(': still here\n\n'), HEARTBEAT_MS)
      response.once('close', () => {
        streams.delete(response)
        unwatch()
        clearInterval(batches)
        clearInterval(heartbeat)
      })
      return true
    },
    leave() {
      isLeaving = true
      for (const response of streams) response.end()
    }
  }
}
