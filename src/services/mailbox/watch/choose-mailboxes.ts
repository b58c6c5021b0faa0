import type { ImapFlow, ListResponse } from 'imapflow'

/** The mailbox that IDLE tells of: all mail on Gmail, the inbox elsewhere. */
export function mainPathOf(
  client: ImapFlow,
  mailboxes: readonly ListResponse[]
): string | undefined {
  const isGmail = client.capabilities.has('X-GM-EXT-1')
  const special = isGmail ? '\\All' : '\\Inbox'
  const found = mailboxes.find(({ specialUse }) => specialUse === special) ?? mailboxes[0]
  return found?.path
}

/** Mailboxes with a connection of their own: those that the account names, but for the main one. */
export function subPathsOf(
  mailboxes: readonly ListResponse[],
  names: readonly string[],
  main: string | undefined
): readonly string[] {
  return mailboxes
    .filter(({ path, specialUse = '' }) => names.includes(path) || names.includes(specialUse))
    .map(({ path }) => path)
    .filter((path) => path !== main)
}
