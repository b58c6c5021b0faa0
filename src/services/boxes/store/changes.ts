import type { Database, Engine } from '../../../kernel/database/database.ts'
import { query, queryAutocommit, type Transaction } from '../../../kernel/database/transaction.ts'
import { HORIZON_OR_GIVEN, NO_HORIZON, OLDEST_OPEN_TRANSACTION, type Operation } from './log.ts'

/** One entry of the change log of a box. */
export interface Change {
  /** Greater than the number of every earlier change of the box. */
  readonly seq: number
  readonly op: Operation
  readonly id: string
  readonly collection: string | null
  /** Revision of the record after the change; of a deleted record, its last one. */
  readonly rev: number
  readonly at: number
}

export interface ChangesPage {
  readonly changes: readonly Change[]
  /** Position to continue from: the last change, else `since` or the start of the log. */
  readonly next: number
  /** Some changes after `since` are no longer in the log. */
  readonly forgotten: boolean
}

/** The state of a box, read in one statement. */
export interface BoxState {
  readonly pk: number
  readonly secret: Uint8Array | null
  readonly settings: string | null
  readonly private: number
  readonly created: number
  /** Number of the newest change; without changes, the number before the first one. */
  readonly seq: number
  /** False while a change with a smaller number may not be committed yet. */
  readonly settled: boolean
  /** Whether there are expired records that are not yet deleted. */
  readonly expired: boolean
}

const LAST = 'coalesce((select max(c.seq) from changes c where c.box = boxes.pk), boxes.seq)'

function stateSql(engine: Engine): string {
  const settled =
    engine === 'sqlite' ? '1' : `case when ${LAST} < ${OLDEST_OPEN_TRANSACTION} then 1 else 0 end`
  const expired =
    'exists (select 1 from records r where r.box = boxes.pk and r.expires is not null and r.expires <= ?)'
  return `select pk, secret, settings, private, created, ${LAST} as seq, ${settled} as settled, case when ${expired} then 1 else 0 end as expired from boxes where id = ?`
}

function pageSql(engine: Engine): string {
  const until = engine === 'sqlite' ? '' : `and seq < ${HORIZON_OR_GIVEN}`
  return `select seq, op, id, collection, rev, at from changes where box = ? and seq > ? ${until} order by seq limit ?`
}

/** Position of a client that started when the box did not exist. */
export const BEGINNING = 0

const RECENT =
  'select seq, op, id, collection, rev, at from changes where box = ? and seq <= ? order by seq desc limit ?'
const KNOWN = 'select seq, forgotten from boxes where pk = ?'
export function readChanges(database: Database) {
  const state = stateSql(database.engine)
  const page = pageSql(database.engine)
  return {
    /** Undefined if the box is unknown. */
    async boxState(id: string, time: number): Promise<BoxState | undefined> {
      type Found = Omit<BoxState, 'settled' | 'expired'> & { settled: number; expired: number }
      const [row] = await database.read(() => queryAutocommit<Found>(state, time, id))
      return row && { ...row, settled: row.settled === 1, expired: row.expired === 1 }
    },

    /** The changes up to number `last`, newest first. */
    recentChanges(box: number, last: number, limit: number): Promise<readonly Change[]> {
      return database.read(() => queryAutocommit<Change>(RECENT, box, last, limit))
    },

    /**
     * The changes after `since`, or all stored changes if it is undefined, oldest first. Ends at
     * the horizon, beyond which an older change may not be committed yet.
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
        // Read after the changes, so that a cut of the log in between is noticed.
        const [known] = yield* query<{ seq: number; forgotten: number | null }>(KNOWN, box)
        const start = known?.forgotten ?? known?.seq ?? 0
        // A client that started before the box existed has only missed what was cut.
        const whole = since === BEGINNING ? (known?.forgotten ?? BEGINNING) : start
        const forgotten = since !== undefined && since < whole
        return { changes: rows, next: rows.at(-1)?.seq ?? (since || start), forgotten }
      })
    }
  }
}
