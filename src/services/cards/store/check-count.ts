import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import { LimitReached } from '../contract.ts'
import { PARENTS, type PositionScope } from './positions.ts'

/** Throws if there are as many objects as there may be; `%d` in the message is the maximum. */
export function* checkCount(
  { table, parent }: PositionScope,
  max: number,
  message: string
): Transaction<void> {
  const [row] = yield* query<{ total: number }>(
    `select count(*) as total from ${table} where ${PARENTS[table]} = ?`,
    parent
  )
  if ((row?.total ?? 0) >= max) throw new LimitReached(message.replace('%d', String(max)))
}
