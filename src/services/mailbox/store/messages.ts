/** Rows of messages, by mailbox and UID. */
import { groupsOf, placeholders } from '../../../kernel/database/groups.ts'
import { insertRows } from '../../../kernel/database/insert-rows.ts'
import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import type { MailboxStatus, StoredMessage } from '../sandbox/mail-store.ts'
import { GROUP_SIZES, type MailboxRow, type MessageRow, mailboxOf, messageOf } from './rows.ts'

export function* readMessages(mailbox: number): Transaction<readonly StoredMessage[]> {
  const rows = yield* query<MessageRow>(
    'select * from sandbox_messages where mailbox = ? order by uid',
    mailbox
  )
  return rows.map(messageOf)
}

/** Those that exist, by UID. */
export function* readRows(
  mailbox: number,
  uids: readonly number[]
): Transaction<readonly MessageRow[]> {
  const sorted = [...new Set(uids)].sort((a, b) => a - b)
  const found: MessageRow[] = []
  for (const group of groupsOf(sorted, GROUP_SIZES)) {
    const rows = yield* query<MessageRow>(
      `select * from sandbox_messages where mailbox = ? and uid in (${placeholders(group.length)})
       order by uid`,
      ...[mailbox, ...group]
    )
    found.push(...rows)
  }
  return found
}

export function* insertMessages(rows: readonly MessageRow[]): Transaction<void> {
  yield* insertRows(
    'sandbox_messages',
    rows.map((row) => ({ ...row }))
  )
}

export function* deleteMessages(numbers: readonly number[]): Transaction<void> {
  for (const group of groupsOf(numbers, GROUP_SIZES)) {
    yield* query(
      `delete from sandbox_messages where number in (${placeholders(group.length)})`,
      ...group
    )
  }
}

const CHANGE_MAILBOX = `
  update sandbox_mailboxes set uid_next = uid_next + ?, modseq = modseq + 1,
    expunged_records = expunged_records + ?
  where id = ? returning *`

/** The next modseq for a change that removes so many messages; undefined without the mailbox. */
export function* nextModseq(mailbox: number, removed = 0): Transaction<MailboxRow | undefined> {
  const [row] = yield* query<MailboxRow>(CHANGE_MAILBOX, 0, removed, mailbox)
  return row
}

/** Also the next modseq; the UIDs are those before `uid_next`. */
export function* takeUids(mailbox: number, count: number): Transaction<MailboxRow | undefined> {
  const [row] = yield* query<MailboxRow>(CHANGE_MAILBOX, count, 0, mailbox)
  return row
}

interface StatusRow extends MailboxRow {
  messages: number
  bytes: number
  unseen: number
  deleted: number
}

const STATUS = `
  select b.*, s.messages, s.bytes, s.unseen, s.deleted
  from sandbox_mailboxes b, (
    select count(*) as messages, coalesce(sum(size), 0) as bytes,
      coalesce(sum(1 - is_seen), 0) as unseen, coalesce(sum(is_deleted), 0) as deleted
    from sandbox_messages where mailbox = ?
  ) s where b.id = ?`

export function* readStatus(mailbox: number): Transaction<MailboxStatus | undefined> {
  const [row] = yield* query<StatusRow>(STATUS, mailbox, mailbox)
  if (row === undefined) return undefined
  const { messages, bytes, unseen, deleted } = row
  return { ...mailboxOf(row), messages, bytes, unseen, deleted }
}
