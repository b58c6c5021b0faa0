import type { ServerResponse } from 'node:http'
import {
  EVENT_STREAM_HEADERS,
  type EventStream,
  openEventStream
} from '../../kernel/event-stream.ts'
import { createHeldRequests } from '../../kernel/held-requests.ts'
import type { Kernel } from '../../kernel/service.ts'
import type { Inbox } from './inbox.ts'

const HEADERS = { ...EVENT_STREAM_HEADERS, 'x-content-type-options': 'nosniff' }
/** Under load, one event stands for all submissions of this time. */
const BATCH_MS = 150
const HEARTBEAT = { everyMs: 15_000, comment: 'still here' }
/** Maximum number of live streams; further pages are shown without live updates. */
const MAX_STREAMS = 32

export interface Live {
  /** Sends `change` after each change of the inbox. False if there are too many streams. */
  follow: (response: ServerResponse) => boolean
  close: () => void
}

export function createLive(
  inbox: Inbox,
  { held, clientIp }: Pick<Kernel, 'held' | 'clientIp'>
): Live {
  const slots = createHeldRequests(MAX_STREAMS, held)
  const streams = new Set<EventStream>()
  let isClosed = false

  return {
    follow(response) {
      const free = isClosed ? undefined : slots.hold(clientIp(response.req))
      if (free === undefined) return false
      const stream = openEventStream(response, { headers: HEADERS, heartbeat: HEARTBEAT })
      streams.add(stream)
      let timer: NodeJS.Timeout | undefined
      const announce = () => {
        timer = undefined
        stream.send({ event: 'change', data: '' })
      }
      const unwatch = inbox.watch(() => {
        timer ??= setTimeout(announce, BATCH_MS)
      })
      // A page that reconnects may have missed changes.
      stream.send({ retry: 2000, event: 'change', data: '' })
      response.once('close', () => {
        free()
        unwatch()
        clearTimeout(timer)
        streams.delete(stream)
      })
      return true
    },
    close() {
      isClosed = true
      for (const stream of streams) stream.end()
    }
  }
}
