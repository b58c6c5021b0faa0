import type { Database, Engine } from '../../../kernel/database/database.ts'
import { query, queryAutocommit, type Transaction } from '../../../kernel/database/transaction.ts'
import { HORIZON, HORIZON_OR_GIVEN, NO_HORIZON, type Operation } from './log.ts'

/** One line of a box's log. */
export interface Change {
  /** Greater than that of every change before it, in this box. */
  readonly seq: number
  readonly op: Operation
  readonly id: string
  readonly collection: string | null
  /** The record's revision after the change; of a deleted one, the last it had. */
  readonly rev: number
  readonly at: number
}

export interface ChangesPage {
  readonly changes: readonly Change[]
  /** Where to go on: behind the last of them, or where it was asked for. */
  readonly next: number
  /** The log no longer holds all that came after `since`. */
  readonly forgotten: boolean
}

/** What one row tells of a box before anything else is read. */
export interface BoxState {
  readonly pk: number
  readonly secret: Uint8Array | null
  readonly settings: string | null
  readonly private: number
  readonly created: number
  /** Number of its newest change; that before its first one while there is none. */
  readonly seq: number
  /** False while a change with a smaller number may still come to light. */
  readonly settled: boolean
  /** Whether some of its records have expired and are not yet removed. */
  readonly expired: boolean
}

const LAST = 'coalesce((select max(c.seq) from changes c where c.box = boxes.pk), boxes.seq)'

function stateSql(engine: Engine): string {
  const settled = engine === 'sqlite' ? '1' : `case when ${LAST} < ${HORIZON} then 1 else 0 end`
  const expired =
    'exists (select 1 from records r where r.box = boxes.pk and r.expires is not null and r.expires <= ?)'
  return `select pk, secret, settings, private, created, ${LAST} as seq, ${settled} as settled, case when ${expired} then 1 else 0 end as expired from boxes where id = ?`
}

function pageSql(engine: Engine): string {
  const until = engine === 'sqlite' ? '' : `and seq < ${HORIZON_OR_GIVEN}`
  return `select seq, op, id, collection, rev, at from changes where box = ? and seq > ? ${until} order by seq limit ?`
}

/** Where somebody stands who came when there was no such box. */
export const BEGINNING = 0

const KNOWN = 'select seq, forgotten from boxes where pk = ?'
export function readChanges(database: Database) {
  const state = stateSql(database.engine)
  const page = pageSql(database.engine)
  return {
    /** Undefined for an unknown box. */
    async boxState(id: string, time: number): Promise<BoxState | undefined> {
      type Found = Omit<BoxState, 'settled' | 'expired'> & { settled: number; expired: number }
      const [row] = await database.read(() => queryAutocommit<Found>(state, time, id))
      return row && { ...row, settled: row.settled === 1, expired: row.expired === 1 }
    },

    /**
     * What came after `since`, oldest first; without it, all that is remembered. It ends before
     * the first change that an older one may still come before, as far as `horizon` tells.
     */
    readChanges(
      box: number,
      since: number | undefined,
      limit: number,
      horizon = NO_HORIZON
    ): Promise<ChangesPage> {
      const until = database.engine === 'sqlite' ? [] : [horizon]
      return database.read(function* (): Transaction<ChangesPage> {
        const rows = yield* query<Change>(page, box, since ?? -1, ...until, limit)
        // Asked last: what is cut meanwhile must not go unnoticed.
        const [known] = yield* query<{ seq: number; forgotten: number | null }>(KNOWN, box)
        const start = known?.forgotten ?? known?.seq ?? 0
        // A box that was not there when its follower came has no past to be lost.
        const whole = since === BEGINNING ? (known?.forgotten ?? BEGINNING) : start
        const forgotten = since !== undefined && since < whole
        return { changes: rows, next: rows.at(-1)?.seq ?? (since || start), forgotten }
      })
    }
  }
}
