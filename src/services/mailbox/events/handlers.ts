import type { Handler } from '../api/route.ts'
import { changes } from './changes-handler.ts'
import { listEvents, showEvent } from './log-handlers.ts'
import { replayMany, replayOne } from './replay-handlers.ts'

export const eventsHandlers = {
  changes,
  listEvents,
  showEvent,
  replayEvent: replayOne,
  replayEvents: replayMany
} satisfies Record<string, Handler>
