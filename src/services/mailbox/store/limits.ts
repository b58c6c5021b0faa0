import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import { detachRows } from './expunge.ts'
import type { MessageRow } from './rows.ts'
import type { Limits, Totals } from './totals.ts'

const OLDEST = `
  select * from sandbox_messages where account = ? and number > ? order by number limit ?`
const MAX_READ = 100

/**
 * Removes the oldest messages of accounts whose totals exceed the limits, to be called before the
 * new messages are inserted that the totals already include. Returns the hashes of the files that
 * the caller must release.
 */
export function* removeOldest(
  totals: readonly Totals[],
  limits: Limits
): Transaction<readonly string[]> {
  const removed: MessageRow[] = []
  for (const one of totals) removed.push(...(yield* readOldest(one, limits)))
  return yield* detachRows(removed)
}

function* readOldest(
  { id, messages, bytes }: Totals,
  limits: Limits
): Transaction<readonly MessageRow[]> {
  const oldest: MessageRow[] = []
  let excess = messages - limits.messages
  let excessBytes = bytes - limits.bytes
  while (excess > 0 || excessBytes > 0) {
    const count = Math.min(Math.max(excess, 1), MAX_READ)
    const rows = yield* query<MessageRow>(OLDEST, id, oldest.at(-1)?.number ?? 0, count)
    for (const row of rows) {
      if (excess <= 0 && excessBytes <= 0) break
      oldest.push(row)
      excess -= 1
      excessBytes -= row.size
    }
    if (rows.length < count) break
  }
  return oldest
}
