/** What the IMAP server, the SMTP server, the API and the pages read and change. */
import type { StoredFile } from '../../../kernel/files/files.ts'
import type { MessageFacts } from './message/facts.ts'

/** The account of mail to addresses without one. */
export const CAUGHT_ACCOUNT = { id: 'caught', address: 'caught@nonet.localhost' }

/** An account has no more mailboxes or subscriptions; further ones throw `MailboxLimitReached`. */
export const MAX_MAILBOXES = 1_000

export class MailboxLimitReached extends Error {
  override name = 'MailboxLimitReached'
}

export interface SandboxAccount {
  readonly id: string
  /** In lower case. */
  readonly address: string
  readonly name: string
  /** In Unix milliseconds, like all times here. */
  readonly createdAt: number
}

export interface Mailbox {
  /** Never used again, and less than 2 ** 32. */
  readonly id: number
  readonly account: string
  readonly name: string
  readonly uidValidity: number
  readonly uidNext: number
  /** That of the last change; never becomes smaller. */
  readonly modseq: number
  readonly specialUse: string | undefined
}

export interface MailboxStatus extends Mailbox {
  readonly messages: number
  readonly unseen: number
  readonly deleted: number
  readonly bytes: number
}

export interface ListedMailbox extends Mailbox {
  readonly isSubscribed: boolean
  readonly hasChildren: boolean
}

/** A message in a mailbox. */
export interface StoredMessage {
  readonly mailbox: number
  readonly uid: number
  readonly modseq: number
  /** System flags first, each once. */
  readonly flags: readonly string[]
  readonly internalDate: number
  readonly savedAt: number
  readonly size: number
  /** The same for all copies: EMAILID of OBJECTID. */
  readonly content: string
}

/** The content of a message: its file and what was read from it when it arrived. */
export interface MessageContent extends MessageFacts {
  readonly id: string
  readonly file: StoredFile
  /** THREADID of OBJECTID. */
  readonly thread: string
  readonly envelopeFrom: string
  readonly envelopeTo: readonly string[]
}

/** A content that is not in the tables yet; its file is stored. */
export interface NewContent {
  readonly file: StoredFile
  readonly facts: MessageFacts
  /** As given to the SMTP server; empty for messages that a client appends. */
  readonly envelopeFrom: string
  readonly envelopeTo: readonly string[]
}

export interface AppendOptions {
  readonly flags: readonly string[]
  readonly internalDate: number | undefined
}

/** UIDs before and after, in the same order, as COPYUID tells them. */
export interface Copied {
  readonly uidValidity: number
  readonly from: readonly number[]
  readonly to: readonly number[]
}

export type FlagChange = 'add' | 'remove' | 'replace'

/**
 * Of a mailbox since a modseq, up to that of `mailbox`; later changes follow with the next call. If
 * records of removed messages are missing, `expunged` has all UIDs that do not exist.
 */
export interface MailboxChanges {
  /** Undefined if the mailbox was removed. */
  readonly mailbox: Mailbox | undefined
  /** New and changed messages, by UID. */
  readonly changed: readonly StoredMessage[]
  readonly expunged: readonly number[]
}

/** What lists of the API select; all conditions must hold, texts are parts without case. */
export interface MessageFilter {
  /** Undefined for all accounts. */
  readonly account?: string | undefined
  readonly to?: string | undefined
  readonly from?: string | undefined
  readonly subject?: string | undefined
  /** A part of subject, sender, recipients or the preview. */
  readonly query?: string | undefined
  /** Only messages that arrived before the one of this number. */
  readonly before?: number | undefined
  readonly after?: number | undefined
}

export interface FoundMessage extends StoredMessage {
  /** Grows in the order of arrival. */
  readonly number: number
  readonly account: string
  readonly mailboxName: string
  readonly contents: MessageContent
}

/**
 * Every write resolves when it is durable, and publishes the topic `mail:<account>` afterwards,
 * in all processes. Methods with a mailbox take its id; a removed mailbox has no messages.
 * Each call sees what is committed at its time: read the mailbox first, then its messages, and
 * later `changesSince` the modseq of that mailbox, which may tell again what is known already.
 * The oldest messages of an account that exceeds its limits are removed by the write that exceeds
 * them, whichever mailboxes they are in.
 */
export interface MailStore {
  addAccount: (account: SandboxAccount & { password: string }) => Promise<boolean>
  findAccount: (idOrAddress: string) => Promise<SandboxAccount | undefined>
  /** Only for its owner and operators. */
  readPassword: (id: string) => Promise<string | undefined>
  /** In the order of their ids, after this one. */
  listAccounts: (limit: number, after: string) => Promise<readonly SandboxAccount[]>
  countAccounts: () => Promise<number>
  /** With its mail; `receiver` is where its last event is sent, sealed. */
  removeAccount: (id: string, receiver?: string) => Promise<boolean>
  /** The account of mail without one; made with the first call. */
  caughtAccount: () => Promise<SandboxAccount>

  /**
   * Adds the message to the INBOX of each account, once each, in one transaction. For accounts that
   * no longer exist it is added to that of `caughtAccount`.
   */
  deliver: (accounts: readonly string[], content: NewContent) => Promise<void>

  listMailboxes: (account: string) => Promise<readonly ListedMailbox[]>
  /** Subscribed names, also of mailboxes that do not exist. */
  listSubscriptions: (account: string) => Promise<readonly string[]>
  findMailbox: (account: string, name: string) => Promise<Mailbox | undefined>
  status: (mailbox: number) => Promise<MailboxStatus | undefined>
  /** With its missing parents; undefined if it exists. */
  createMailbox: (
    account: string,
    name: string,
    specialUse?: string
  ) => Promise<Mailbox | undefined>
  /** With the mailboxes below; renaming INBOX moves its messages to a new mailbox. */
  renameMailbox: (
    account: string,
    from: string,
    to: string
  ) => Promise<'renamed' | 'missing' | 'exists'>
  /** INBOX cannot be removed: it is `missing`. */
  removeMailbox: (account: string, name: string) => Promise<'removed' | 'missing' | 'hasChildren'>
  subscribe: (account: string, name: string, isSubscribed: boolean) => Promise<void>

  /** By UID. */
  readMessages: (mailbox: number) => Promise<readonly StoredMessage[]>
  changesSince: (mailbox: number, modseq: number) => Promise<MailboxChanges>
  readContents: (ids: readonly string[]) => Promise<ReadonlyMap<string, MessageContent>>
  /** The new UID; undefined if the mailbox does not exist. */
  append: (
    mailbox: number,
    content: NewContent,
    options: AppendOptions
  ) => Promise<{ uid: number; uidValidity: number } | undefined>
  /**
   * Messages that changed after `unchangedSince` are left as they are and returned as `modified`;
   * UIDs that do not exist are ignored. `stored` are all others, by UID, also those whose flags were
   * like that already, which keep their modseq. A message has at most 100 keywords, which differ by
   * more than case; further ones, and flags that are no atoms, are ignored.
   */
  storeFlags: (
    mailbox: number,
    uids: readonly number[],
    change: FlagChange,
    flags: readonly string[],
    unchangedSince?: number
  ) => Promise<{ stored: readonly StoredMessage[]; modified: readonly number[] }>
  /** Undefined if one of the mailboxes does not exist. Copies keep flags and internal date. */
  copy: (from: number, uids: readonly number[], to: number) => Promise<Copied | undefined>
  move: (from: number, uids: readonly number[], to: number) => Promise<Copied | undefined>
  /** Messages with the flag \Deleted, all or those of these UIDs; resolves to their UIDs. */
  expunge: (mailbox: number, uids?: readonly number[]) => Promise<readonly number[]>

  /** Newest first, without so many of them. */
  findMessages: (
    filter: MessageFilter,
    limit: number,
    offset?: number
  ) => Promise<readonly FoundMessage[]>
  countMessages: (filter: MessageFilter) => Promise<number>
  findMessage: (mailbox: number, uid: number) => Promise<FoundMessage | undefined>
  /** Those that arrived before the call; resolves to their number. */
  removeMessages: (filter: MessageFilter) => Promise<number>

  /** Called with the id of an account after each change of its mail, in this or another process. */
  watch: (account: string | undefined, listener: () => void) => () => void
}
