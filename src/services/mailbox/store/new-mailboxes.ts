import { insertRows } from '../../../kernel/database/insert-rows.ts'
import type { Transaction } from '../../../kernel/database/transaction.ts'
import { takeMailboxIds } from './counters.ts'
import type { MailboxRow } from './rows.ts'

export interface NewMailbox {
  readonly name: string
  readonly specialUse?: string | undefined
}

export function* insertMailboxes(
  account: string,
  mailboxes: readonly NewMailbox[],
  now: number
): Transaction<readonly MailboxRow[]> {
  const first = yield* takeMailboxIds(mailboxes.length, now)
  const rows = mailboxes.map(({ name, specialUse }, index) => ({
    id: first + index,
    account,
    name,
    uid_validity: first + index,
    uid_next: 1,
    modseq: 1,
    expunged_records: 0,
    expunged_horizon: 0,
    special_use: specialUse ?? null
  }))
  yield* insertRows('sandbox_mailboxes', rows)
  return rows
}
