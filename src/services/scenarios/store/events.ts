import type { Database } from '../../../kernel/database/database.ts'
import { fullGroupsOf, placeholders } from '../../../kernel/database/groups.ts'
import { queryAutocommit } from '../../../kernel/database/transaction.ts'

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
/** Number of workspaces per statement. */
const GROUP = 50
const LAST_OF_SEVERAL = `select id, seq from workspace where id in (${placeholders(GROUP)})`

export function eventStore(database: Database) {
  return {
    eventsAfter: (ws: string, seq: number, limit: number) =>
      database.read(() => queryAutocommit<EventRow>(AFTER, ws, seq, limit)),

    async lastEvent(ws: string): Promise<number> {
      const [row] = await database.read(() => queryAutocommit<{ seq: number }>(LAST, ws))
      return row?.seq ?? 0
    },

    /** Like `lastEvent` for several workspaces; unknown workspaces are omitted. */
    async lastEvents(workspaces: readonly string[]): Promise<Map<string, number>> {
      const last = new Map<string, number>()
      for (const args of fullGroupsOf(workspaces, GROUP)) {
        const rows = await database.read(() =>
          queryAutocommit<{ id: string; seq: number }>(LAST_OF_SEVERAL, ...args)
        )
        for (const { id, seq } of rows) last.set(id, seq)
      }
      return last
    }
  }
}
