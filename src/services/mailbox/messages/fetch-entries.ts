import type { FetchMessageObject, FetchQueryObject } from 'imapflow'
import { type EntryMailbox, entryOf, type MessageEntry } from './entry.ts'
import { fetchSequence, fetchUids } from './fetch.ts'
import { numberOfMailbox } from './mailbox-numbers.ts'
import type { OpenMailbox } from './open-mailbox.ts'
import { specialUseOf } from './resolve-path.ts'
import type { MailSession } from './session.ts'

/** What an entry is made of. */
export const ENTRY_QUERY: FetchQueryObject = {
  uid: true,
  flags: true,
  bodyStructure: true,
  envelope: true,
  internalDate: true,
  size: true,
  threadId: true,
  labels: true
}

/** Messages of the selected mailbox by their sequence numbers, the newest first. */
export async function entriesBySequence(
  session: MailSession,
  mailbox: OpenMailbox,
  range: readonly [number, number]
): Promise<readonly MessageEntry[]> {
  return entriesOf(session, mailbox, await fetchSequence(session.client, range, ENTRY_QUERY))
}

/** Messages of the selected mailbox, the newest first; those that are gone are left out. */
export async function entriesByUid(
  session: MailSession,
  mailbox: OpenMailbox,
  uids: readonly number[]
): Promise<readonly MessageEntry[]> {
  return entriesOf(session, mailbox, await fetchUids(session.client, uids, ENTRY_QUERY))
}

async function entriesOf(
  session: MailSession,
  mailbox: OpenMailbox,
  messages: readonly FetchMessageObject[]
): Promise<readonly MessageEntry[]> {
  const described = await describeMailbox(session, mailbox)
  return messages.toSorted((a, b) => b.uid - a.uid).map((message) => entryOf(message, described))
}

export async function describeMailbox(
  { client, account, database, hints }: MailSession,
  mailbox: OpenMailbox
): Promise<EntryMailbox> {
  return {
    number: await numberOfMailbox(database, client, account, mailbox),
    path: mailbox.path,
    specialUse: await specialUseOf(client, hints, mailbox.path)
  }
}
