import type { FetchItem } from '../fetch/items.ts'

/** RFC 5465: what a client wants to be told without commands. */
export interface NotifySettings {
  readonly selected: SelectedEvents | undefined
  readonly groups: readonly EventGroup[]
  /** Mailboxes of the account as the client knows them, by id. */
  readonly known: Map<number, KnownMailbox>
}

export type NotifyEvent =
  | 'MessageNew'
  | 'MessageExpunge'
  | 'FlagChange'
  | 'MailboxName'
  | 'SubscriptionChange'

/** Events of the selected mailbox. */
export interface SelectedEvents {
  readonly events: ReadonlySet<NotifyEvent>
  /** Whether removed messages are told only with a command, so that numbers do not change. */
  readonly isDelayed: boolean
  /** Fetched of each new message. */
  readonly items: readonly FetchItem[]
}

/** Events of other mailboxes. */
export interface EventGroup {
  readonly mailboxes: MailboxFilter
  readonly events: ReadonlySet<NotifyEvent>
}

export type MailboxFilter =
  | { readonly kind: 'INBOXES' | 'PERSONAL' | 'SUBSCRIBED' }
  | { readonly kind: 'SUBTREE' | 'MAILBOXES'; readonly names: readonly string[] }

export interface KnownMailbox {
  readonly name: string
  readonly isSubscribed: boolean
  readonly modseq: number
  readonly uidNext: number
  readonly messages: number
}

interface NamedMailbox {
  readonly name: string
  readonly isSubscribed: boolean
}

/** Those of the first group that includes the mailbox. */
export function eventsOf(
  groups: readonly EventGroup[],
  mailbox: NamedMailbox
): ReadonlySet<NotifyEvent> {
  return groups.find(({ mailboxes }) => includes(mailboxes, mailbox))?.events ?? new Set()
}

function includes(filter: MailboxFilter, { name, isSubscribed }: NamedMailbox): boolean {
  switch (filter.kind) {
    case 'INBOXES':
      return name === 'INBOX'
    case 'PERSONAL':
      return true
    case 'SUBSCRIBED':
      return isSubscribed
    case 'SUBTREE':
      return filter.names.some((top) => name === top || name.startsWith(`${top}/`))
    case 'MAILBOXES':
      return filter.names.includes(name)
  }
}
