import { query, queryAutocommit, type Transaction } from '../../../kernel/database/transaction.ts'

/** Of everything that clients see. */
export interface Revision {
  version: number
  /** ISO 8601. */
  changedAt: string
}

/** To be part of each transaction that changes what clients see. */
export function* bumpRevision(time: string): Transaction<void> {
  yield* query(
    `insert into revision (id, version, changed_at) values (1, 1, ?)
     on conflict (id) do update set version = revision.version + 1, changed_at = excluded.changed_at`,
    time
  )
}

/** Undefined before the first change. */
export function* readRevision(): Transaction<Revision | undefined> {
  const [row] = yield* queryAutocommit<{ version: number; changed_at: string }>(
    'select version, changed_at from revision where id = 1'
  )
  return row && { version: row.version, changedAt: row.changed_at }
}
