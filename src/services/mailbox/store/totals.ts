import { groupsOf, placeholders } from '../../../kernel/database/groups.ts'
import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import { GROUP_SIZES } from './rows.ts'

/** Of the messages of an account. */
export interface Limits {
  readonly messages: number
  readonly bytes: number
}

export interface Totals extends Limits {
  readonly id: string
}

/** The same change of each account; returns their totals. */
export function* addToTotals(
  accounts: readonly string[],
  messages: number,
  bytes: number
): Transaction<readonly Totals[]> {
  const totals: Totals[] = []
  for (const group of groupsOf(accounts, GROUP_SIZES)) {
    const rows = yield* query<Totals>(
      `update sandbox_accounts set messages = messages + ?, bytes = bytes + ?
       where id in (${placeholders(group.length)}) returning id, messages, bytes`,
      ...[messages, bytes, ...group]
    )
    totals.push(...rows)
  }
  return totals
}
