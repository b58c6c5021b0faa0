import type { Plan } from '../../../kernel/database/plan.ts'
import type { Place } from './place.ts'

/** A record that was written, or the mark that one of the seed is gone. */
export interface Row {
  id: string
  /** JSON; nothing where a record of the seed was removed. */
  body: string | null
  /** Rows are listed in this order. */
  position: number
}

export interface SessionRow {
  session: string
  /** Milliseconds since 1970. */
  used: number
  /** Position of the newest row. */
  sequence: number
  records: number
  bytes: number
}

/** What lies at a place, for whoever looks in from outside. */
export interface PlaceRow {
  collection: string
  parents: readonly string[]
}

/** Elementary steps on what is kept, in memory or in a database; each is a plan of its own. */
export interface Tables {
  findRow: (place: Place, id: string) => Plan<Row | undefined>
  listRows: (place: Place) => Plan<readonly Row[]>
  putRow: (place: Place, row: Row) => Plan<void>
  dropRow: (place: Place, id: string) => Plan<void>
  /** Everything of a collection below these parents; gives back what went. */
  dropBelow: (place: Place) => Plan<{ records: number; bytes: number }>
  listPlaces: (session: string) => Plan<readonly PlaceRow[]>
  findCounter: (session: string, collection: string) => Plan<number>
  putCounter: (session: string, collection: string, last: number) => Plan<void>
  findSession: (session: string) => Plan<SessionRow | undefined>
  listSessions: () => Plan<readonly SessionRow[]>
  putSession: (row: SessionRow) => Plan<void>
  dropSession: (session: string) => Plan<void>
  clear: () => Plan<void>
}
