import { DELIVERY_STATES } from '../../store/read-events.ts'
import type { InputSchemas } from '../route.ts'
import { BOOLEAN, DATE_TIME, line, object, oneOrMore } from './parts.ts'

const ACCOUNT = line(256)
const NAMES = oneOrMore(line(500), { maxItems: 100 })
const CURSOR = line(20)

export const eventsSchemas = {
  changes: { query: { events: NAMES, account: ACCOUNT, lastEventId: line(100) } },
  listEvents: {
    query: {
      account: ACCOUNT,
      event: NAMES,
      since: DATE_TIME,
      delivery: { type: 'string', enum: DELIVERY_STATES },
      cursor: CURSOR,
      pageSize: { type: 'integer', minimum: 1, maximum: 250, default: 20 }
    }
  },
  replayEvents: {
    body: object({
      account: ACCOUNT,
      event: NAMES,
      since: DATE_TIME,
      failed: BOOLEAN,
      cursor: CURSOR
    })
  }
} satisfies Partial<Record<string, InputSchemas>>
