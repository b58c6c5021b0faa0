import type { ListResponse } from 'imapflow'
import { TOO_MANY_MAILBOXES } from './contract.ts'
import { isSelectable, listFolders } from './folders.ts'
import type { MailSession } from './session.ts'

/** A mailbox whose messages are missing in the list. */
export interface IncompleteMailbox {
  readonly path: string
  readonly error: string
}

/** Also limits the length of a cursor. */
const MAX_MAILBOXES = 500

export interface SearchedMailboxes {
  readonly all: string | undefined
  readonly others: readonly string[]
  readonly incomplete: readonly IncompleteMailbox[]
}

/**
 * `\All` has the messages of all other mailboxes, on some servers without `\Junk` and `\Trash`.
 * That of Gmail is complete but for these two, so only they are searched besides it. `\Flagged` has
 * only copies.
 */
export async function mailboxesToSearch({
  client,
  hints
}: MailSession): Promise<SearchedMailboxes> {
  const items = { messages: true }
  const hasStatus = client.capabilities.has('LIST-STATUS')
  const folders = await listFolders(client, hints, hasStatus ? items : undefined)
  const selectable = folders.filter((one) => isSelectable(one) && one.status?.messages !== 0)
  const isVirtual = (one: ListResponse, use: string) =>
    one.specialUse === use && one.specialUseSource === 'extension'
  const all = selectable.find((one) => isVirtual(one, '\\All'))
  const isGmail = all !== undefined && client.capabilities.has('X-GM-EXT-1')
  const others = selectable.filter((one) => one !== all && !isVirtual(one, '\\Flagged'))
  const paths = others
    .filter(({ specialUse = '' }) => !isGmail || ['\\Junk', '\\Trash'].includes(specialUse))
    .map(({ path }) => path)
  const incomplete = paths.slice(MAX_MAILBOXES).map((path) => ({ path, error: TOO_MANY_MAILBOXES }))
  return { all: all?.path, others: paths.slice(0, MAX_MAILBOXES), incomplete }
}
