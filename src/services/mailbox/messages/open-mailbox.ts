import type { ImapFlow, MailboxObject } from 'imapflow'
import type { Database } from '../../../kernel/database/database.ts'
import { MessageNotFound } from '../contract.ts'
import type { MailboxIdentity } from '../store/mailbox-numbers.ts'
import { FolderNotFound } from './contract.ts'
import { findMailbox } from './mailbox-numbers.ts'
import type { MessageKey } from './message-id.ts'
import { isMissingMailbox } from './rejected-command.ts'

/** `read` is EXAMINE: messages stay recent and unseen. */
export type MailboxAccess = 'read' | 'write'

export interface OpenMailbox extends MailboxIdentity {
  /** Number of messages. */
  readonly exists: number
  /** Of the next message. */
  readonly uidNext: number
}

/** Selects a mailbox, again if it is selected, because that updates its number of messages. */
export async function openMailbox(
  client: ImapFlow,
  path: string,
  access: MailboxAccess
): Promise<OpenMailbox> {
  try {
    return openMailboxOf(await client.mailboxOpen(path, { readOnly: access === 'read' }))
  } catch (error) {
    throw isMissingMailbox(error, path) ? new FolderNotFound() : error
  }
}

/**
 * Selects the mailbox of a message. Throws `MessageNotFound` if it is no longer there or was made
 * anew, because its messages have other ids then.
 */
export async function openMailboxOfMessage(
  client: ImapFlow,
  { database, account }: { readonly database: Database; readonly account: string },
  { mailbox: number }: Pick<MessageKey, 'mailbox'>,
  access: MailboxAccess
): Promise<OpenMailbox> {
  const wanted = await findMailbox(database, client, account, number)
  if (wanted === undefined) throw new MessageNotFound()
  const opened = await openAgain(client, wanted.path, access).catch((error) => {
    throw error instanceof FolderNotFound ? new MessageNotFound() : error
  })
  if (opened.uidValidity !== wanted.uidValidity) throw new MessageNotFound()
  return opened
}

/** The response to NOOP has the changes since the mailbox was selected. */
async function openAgain(
  client: ImapFlow,
  path: string,
  access: MailboxAccess
): Promise<OpenMailbox> {
  const { mailbox } = client
  const isSelected = mailbox && mailbox.path === path && isUsable(mailbox, access)
  if (!isSelected) return openMailbox(client, path, access)
  await client.noop()
  return openMailboxOf(mailbox)
}

/** A server may leave out what it must send. */
function openMailboxOf(mailbox: Partial<MailboxObject>): OpenMailbox {
  const { path = '', exists = 0, uidNext = 0, uidValidity = 0 } = mailbox
  return { path, exists, uidNext, uidValidity: String(uidValidity) }
}

function isUsable({ readOnly }: MailboxObject, access: MailboxAccess): boolean {
  return access === 'read' || readOnly === false
}
