import { groupsOf, placeholders } from '../../../kernel/database/groups.ts'
import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import type { MessageFilter } from '../sandbox/mail-store.ts'
import { removeRows } from './expunge.ts'
import { findNumbers, lastNumber, type NumberedRow } from './find-messages.ts'
import { GROUP_SIZES, type MessageRow } from './rows.ts'
import type { Tables } from './tables.ts'
import { notifyWatchers } from './topics.ts'

/** Messages that are looked for at a time; each account is then one transaction. */
const STEP = 500

export async function removeMessages(tables: Tables, filter: MessageFilter): Promise<number> {
  let before = Math.min(
    (await tables.read(lastNumber)) + 1,
    filter.before ?? Number.POSITIVE_INFINITY
  )
  let removed = 0
  let found: readonly NumberedRow[]
  do {
    found = await findNumbers(tables.read, { ...filter, before }, STEP)
    for (const [account, rows] of Map.groupBy(found, (row) => row.account)) {
      const numbers = rows.map(({ number }) => number)
      const transaction = () => removeNumbers(account, numbers)
      removed += await tables.write([account], transaction, { frees: true })
    }
    before = found.at(-1)?.number ?? 0
  } while (found.length === STEP)
  return removed
}

function* removeNumbers(account: string, numbers: readonly number[]): Transaction<number> {
  const rows: MessageRow[] = []
  for (const group of groupsOf(numbers, GROUP_SIZES)) {
    const some = yield* query<MessageRow>(
      `select * from sandbox_messages where number in (${placeholders(group.length)})`,
      ...group
    )
    rows.push(...some)
  }
  if (rows.length === 0) return 0
  yield* removeRows(rows)
  yield* notifyWatchers(account)
  return rows.length
}
