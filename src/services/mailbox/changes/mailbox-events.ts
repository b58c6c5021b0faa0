import type { NewEvent } from '../events/record-events.ts'

/** A mailbox as its events describe it. */
export interface MailboxFacts {
  readonly account: string
  readonly path: string
  readonly delimiter?: string | undefined
  readonly specialUse: string | undefined
  readonly uidValidity: string
}

/**
 * The time is in the ids of these events: servers may use a UIDVALIDITY again for a mailbox of the
 * same name. The row that is added or removed in the same transaction makes each of them one event.
 */
export function mailboxNewEvent(facts: MailboxFacts, time: number, renamedFrom?: string): NewEvent {
  const more = { uidValidity: facts.uidValidity, ...(renamedFrom !== undefined && { renamedFrom }) }
  return eventOf('mailboxNew', facts, time, more)
}

export function mailboxDeletedEvent(
  facts: MailboxFacts,
  time: number,
  renamedTo?: string
): NewEvent {
  return eventOf('mailboxDeleted', facts, time, renamedTo === undefined ? {} : { renamedTo })
}

export type ResetReason = 'uidValidityChange' | 'syncStateLost'

export function mailboxResetEvent(
  facts: MailboxFacts,
  time: number,
  reason: ResetReason,
  prevUidValidity: string | undefined
): NewEvent {
  const previous = reason === 'uidValidityChange' && { prevUidValidity }
  return eventOf('mailboxReset', facts, time, {
    uidValidity: facts.uidValidity,
    ...previous,
    reason
  })
}

function eventOf(
  name: 'mailboxNew' | 'mailboxDeleted' | 'mailboxReset',
  { account, path, delimiter, specialUse, uidValidity }: MailboxFacts,
  time: number,
  more: object
): NewEvent {
  const leaf = delimiter ? path.slice(path.lastIndexOf(delimiter) + delimiter.length) : path
  const data = { path, name: leaf, specialUse: specialUse ?? false, ...more }
  return { account, name, key: [path, uidValidity, time], path, specialUse, data }
}
