import { query, type Transaction } from '../database/transaction.ts'
import { listTokens } from './table.ts'

/**
 * For the transaction that removes a resource: revokes the tokens for it alone and takes it out of
 * those for several, so that no token opens a later resource of the same name.
 */
export function* unbindTokens(binding: string, time: number): Transaction<void> {
  for (const { id, bindings } of yield* listTokens()) {
    const bound: readonly string[] = JSON.parse(bindings)
    if (!bound.includes(binding)) continue
    const others = bound.filter((one) => one !== binding)
    if (others.length > 0) {
      yield* query(
        'update credentials set bindings = ? where id = ?',
        ...[JSON.stringify(others), id]
      )
    } else {
      yield* query(
        'update credentials set revoked_at = coalesce(revoked_at, ?) where id = ?',
        ...[time, id]
      )
    }
  }
}
