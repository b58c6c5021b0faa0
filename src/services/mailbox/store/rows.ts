/** Rows of the tables and what they become. */
import type {
  FoundMessage,
  Mailbox,
  MessageContent,
  SandboxAccount,
  StoredMessage
} from '../sandbox/mail-store.ts'
import type { MessageFacts, MessagePart } from '../sandbox/message/facts.ts'
import { parseFlags } from './flags.ts'

/** Sizes of `in (…)`: few, so that few statements are prepared. */
export const GROUP_SIZES = [100, 10, 1] as const

export interface AccountRow {
  id: string
  address: string
  name: string
  created_at: number
}

export const ACCOUNT_COLUMNS = 'id, address, name, created_at'

export function accountOf({ id, address, name, created_at }: AccountRow): SandboxAccount {
  return { id, address, name, createdAt: created_at }
}

export interface MailboxRow {
  id: number
  account: string
  name: string
  uid_validity: number
  uid_next: number
  modseq: number
  expunged_records: number
  expunged_horizon: number
  special_use: string | null
}

export function mailboxOf(row: MailboxRow): Mailbox {
  return {
    id: row.id,
    account: row.account,
    name: row.name,
    uidValidity: row.uid_validity,
    uidNext: row.uid_next,
    modseq: row.modseq,
    specialUse: row.special_use ?? undefined
  }
}

/** All columns of `sandbox_messages`. */
export interface MessageRow {
  number: number
  mailbox: number
  uid: number
  account: string
  content: string
  size: number
  internal_date: number
  saved_at: number
  flags: string
  is_seen: number
  is_deleted: number
  modseq: number
}

export function messageOf(row: MessageRow): StoredMessage {
  return {
    mailbox: row.mailbox,
    uid: row.uid,
    modseq: row.modseq,
    flags: parseFlags(row.flags),
    internalDate: row.internal_date,
    savedAt: row.saved_at,
    size: row.size,
    content: row.content
  }
}

export interface ContentRow {
  id: string
  hash: string
  size: number
  thread: string
  facts: string
  structure: string
  envelope_from: string
  envelope_to: string
}

export const CONTENT_COLUMNS =
  'c.hash, c.thread, c.facts, c.structure, c.envelope_from, c.envelope_to'

/** Its structure, by far the largest part, is parsed when it is read. */
export function contentOf({ id, hash, size, thread, ...row }: ContentRow): MessageContent {
  const facts: Omit<MessageFacts, 'root'> = JSON.parse(row.facts)
  let root: MessagePart | undefined
  return {
    ...facts,
    get root() {
      root ??= JSON.parse(row.structure) as MessagePart
      return root
    },
    id,
    file: { hash, size },
    thread,
    envelopeFrom: row.envelope_from,
    envelopeTo: JSON.parse(row.envelope_to)
  }
}

/** A message with its content, which `content` is the id of, and the name of its mailbox. */
export interface FoundRow extends MessageRow, Omit<ContentRow, 'id'> {
  mailbox_name: string
}

export function foundOf(row: FoundRow): FoundMessage {
  return {
    ...messageOf(row),
    number: row.number,
    account: row.account,
    mailboxName: row.mailbox_name,
    contents: contentOf({ ...row, id: row.content })
  }
}
