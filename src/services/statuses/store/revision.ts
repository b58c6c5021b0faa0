import { query, queryAutocommit, type Transaction } from '../../../kernel/database/transaction.ts'

/** To be part of each transaction that changes what clients see. */
export function* bumpRevision(): Transaction<void> {
  yield* query(
    `insert into revision (id, version) values (1, 1)
     on conflict (id) do update set version = revision.version + 1`
  )
}

/** Undefined before the first change. */
export function* readRevision(): Transaction<number | undefined> {
  const [row] = yield* queryAutocommit<{ version: number }>(
    'select version from revision where id = 1'
  )
  return row?.version
}
