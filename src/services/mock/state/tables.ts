import type { Transaction } from '../../../kernel/database/transaction.ts'
import type { CollectionScope } from './collection-scope.ts'

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
export interface ScopeRow {
  collection: string
  parents: readonly string[]
}

/** Elementary steps on what is kept, in memory or in a database; each is a plan of its own. */
export interface Tables {
  findRow: (scope: CollectionScope, id: string) => Transaction<Row | undefined>
  listRows: (scope: CollectionScope) => Transaction<readonly Row[]>
  putRow: (scope: CollectionScope, row: Row) => Transaction<void>
  dropRow: (scope: CollectionScope, id: string) => Transaction<void>
  /** Everything of a collection below these parents; gives back what went. */
  dropBelow: (scope: CollectionScope) => Transaction<{ records: number; bytes: number }>
  listScopes: (session: string) => Transaction<readonly ScopeRow[]>
  findCounter: (session: string, collection: string) => Transaction<number>
  putCounter: (session: string, collection: string, last: number) => Transaction<void>
  findSession: (session: string) => Transaction<SessionRow | undefined>
  listSessions: () => Transaction<readonly SessionRow[]>
  putSession: (row: SessionRow) => Transaction<void>
  dropSession: (session: string) => Transaction<void>
  clear: () => Transaction<void>
}
