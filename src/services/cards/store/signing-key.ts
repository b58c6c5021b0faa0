import { query, queryAutocommit, type Transaction } from '../../../kernel/database/transaction.ts'

/** Undefined before the first signature. */
export function* readSealedKey(): Transaction<string | undefined> {
  const [row] = yield* queryAutocommit<{ sealed: string }>(
    'select sealed from signing_key where id = 1'
  )
  return row?.sealed
}

/** Unless there is one; returns the one that counts. */
export function* addSealedKey(sealed: string): Transaction<string> {
  const [found] = yield* query<{ sealed: string }>('select sealed from signing_key where id = 1')
  if (found !== undefined) return found.sealed
  yield* query('insert into signing_key (id, sealed) values (1, ?)', sealed)
  return sealed
}
