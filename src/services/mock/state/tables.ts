import type { Transaction } from '../../../kernel/database/transaction.ts'
import type { CollectionScope } from './collection-scope.ts'

/** A stored record, or the mark that a seed record was removed. */
export interface Row {
  id: string
  /** JSON; null if a seed record was removed. */
  body: string | null
  /** Rows are listed in this order. */
  position: number
}

export interface SessionRow {
  session: string
  /** Time of the last use, in milliseconds since 1970. */
  used: number
  /** Position of the newest row. */
  sequence: number
  records: number
  bytes: number
}

/** Collection and parents with stored records, for the admin pages. */
export interface ScopeRow {
  collection: string
  parents: readonly string[]
}

/** Elementary operations on stored data, in memory or in a database; each is a transaction. */
export interface Tables {
  findRow: (scope: CollectionScope, id: string) => Transaction<Row | undefined>
  listRows: (scope: CollectionScope) => Transaction<readonly Row[]>
  putRow: (scope: CollectionScope, row: Row) => Transaction<void>
  dropRow: (scope: CollectionScope, id: string) => Transaction<void>
  /** Removes all rows of a collection below these parents; returns their number and size. */
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
