import type { ServerResponse } from 'node:http'
import {
  EVENT_STREAM_HEADERS,
  type EventStream,
  HEARTBEAT,
  openEventStream
} from './event-stream.ts'
import { createHeldRequests } from './held-requests.ts'
import type { Kernel } from './service.ts'

const HEADERS = { ...EVENT_STREAM_HEADERS, 'x-content-type-options': 'nosniff' }
/** Under load, one event stands for all changes of this time. */
const BATCH_MS = 150
/** Maximum number of streams; further pages are shown without live updates. */
const MAX_STREAMS = 32

/** Event streams that tell open pages to load their data again. */
export interface ChangeStreams {
  /**
   * Sends `change` at once and after each call of the listener. False if there are too many
   * streams. `watch` returns a function that ends it.
   */
  follow: (response: ServerResponse, watch: (listener: () => void) => () => void) => boolean
  close: () => void
}

export function createChangeStreams({
  held,
  clientIp
}: Pick<Kernel, 'held' | 'clientIp'>): ChangeStreams {
  const slots = createHeldRequests(MAX_STREAMS, held)
  const streams = new Set<EventStream>()
  let isClosed = false

  return {
    follow(response, watch) {
      const free = isClosed ? undefined : slots.hold(clientIp(response.req))
      if (free === undefined) return false
      const stream = openEventStream(response, { headers: HEADERS, heartbeat: HEARTBEAT })
      streams.add(stream)
      let timer: NodeJS.Timeout | undefined
      const announce = () => {
        timer = undefined
        stream.send({ event: 'change', data: '' })
      }
      const unwatch = watch(() => {
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
