import type { Database } from '../../../kernel/database/database.ts'
import { queryAlone } from '../../../kernel/database/plan.ts'

export interface EventRow {
  readonly seq: number
  readonly type: string
  /** JSON. */
  readonly payload: string
  readonly at: number
}

const AFTER =
  'select seq, type, payload, at from event where ws = ? and seq > ? order by seq limit ?'
const LAST = 'select seq from workspace where id = ?'

export function eventStore(database: Database) {
  return {
    eventsAfter: (ws: string, seq: number, limit: number) =>
      database.read(() => queryAlone<EventRow>(AFTER, ws, seq, limit)),

    async lastEvent(ws: string): Promise<number> {
      const [row] = await database.read(() => queryAlone<{ seq: number }>(LAST, ws))
      return row?.seq ?? 0
    }
  }
}
