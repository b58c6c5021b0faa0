/** New messages: deliveries to several accounts, and one in a mailbox. */
import { groupsOf, placeholders } from '../../../kernel/database/groups.ts'
import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import type { AppendOptions } from '../sandbox/mail-store.ts'
import { insertContent, type PreparedContent } from './contents.ts'
import { takeNumbers } from './counters.ts'
import { flagColumns, normaliseFlags } from './flags.ts'
import { removeOldest } from './limits.ts'
import { insertMessages, takeUids } from './messages.ts'
import { GROUP_SIZES, type MailboxRow } from './rows.ts'
import { notifyWatchers } from './topics.ts'
import { addToTotals, type Limits } from './totals.ts'

/** Accounts of a delivery that were removed; nothing is stored. */
export class AccountsMissing extends Error {
  override name = 'AccountsMissing'
  readonly existing: readonly string[]
  constructor(existing: readonly string[]) {
    super('An account of the delivery does not exist')
    this.existing = existing
  }
}

export interface NewMessage {
  readonly content: PreparedContent
  readonly limits: Limits
  readonly time: number
}

/** Each account once. Throws `AccountsMissing`. */
export function* deliver(accounts: readonly string[], message: NewMessage): Transaction<void> {
  const inboxes: MailboxRow[] = []
  for (const group of groupsOf(accounts, GROUP_SIZES)) {
    const rows = yield* query<MailboxRow>(
      `update sandbox_mailboxes set uid_next = uid_next + 1, modseq = modseq + 1
       where name = 'INBOX' and account in (${placeholders(group.length)}) returning *`,
      ...group
    )
    inboxes.push(...rows)
  }
  if (inboxes.length < accounts.length) {
    throw new AccountsMissing(inboxes.map(({ account }) => account))
  }
  yield* addToMailboxes(inboxes, message, { flags: [], internalDate: undefined })
}

/** The new UID; undefined if the mailbox does not exist. */
export function* append(
  mailbox: number,
  message: NewMessage,
  options: AppendOptions
): Transaction<{ uid: number; uidValidity: number } | undefined> {
  const row = yield* takeUids(mailbox, 1)
  if (row === undefined) return undefined
  yield* addToMailboxes([row], message, options)
  return { uid: row.uid_next - 1, uidValidity: row.uid_validity }
}

/** One message in mailboxes of different accounts, which have its UIDs and modseqs already. */
function* addToMailboxes(
  mailboxes: readonly MailboxRow[],
  { content, limits, time }: NewMessage,
  { flags, internalDate = time }: AppendOptions
): Transaction<void> {
  const { size } = content.file
  const accounts = mailboxes.map(({ account }) => account)
  const totals = yield* addToTotals(accounts, 1, size)
  const released = yield* removeOldest(totals, limits)
  yield* insertContent(content, mailboxes.length, released)
  const number = yield* takeNumbers(mailboxes.length)
  yield* insertMessages(
    mailboxes.map((mailbox, index) => ({
      number: number + index,
      mailbox: mailbox.id,
      uid: mailbox.uid_next - 1,
      account: mailbox.account,
      content: content.id,
      size,
      internal_date: internalDate,
      saved_at: time,
      ...flagColumns(normaliseFlags(flags)),
      modseq: mailbox.modseq
    }))
  )
  for (const account of accounts) yield* notifyWatchers(account)
}
