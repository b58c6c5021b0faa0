import { messageKeyOf } from '../events/message-key.ts'
import type { NewMessage } from '../events/new-messages.ts'
import { FolderNotFound } from '../messages/contract.ts'
import { existsMessage } from '../messages/imap-commands.ts'
import { findMailbox } from '../messages/mailbox-numbers.ts'
import { parseMessageId } from '../messages/message-id.ts'
import { isRejected } from '../messages/rejected-command.ts'
import { type AnnouncedCopy, findAnnouncedCopies } from '../store/moved-messages.ts'
import type { ChangeSession } from './change-session.ts'
import { openSnapshot } from './open-snapshot.ts'
import { recentMovesOf } from './recent-moves.ts'

/** Messages of other mailboxes that are looked for; each takes two commands. */
const MAX_CHECKED = 20

/**
 * Ids that messages had before another client moved them here, by the new ids: a message with the
 * same email id or Message-ID and size was announced before, and is no longer where it was.
 */
export async function findForeignSources(
  session: ChangeSession,
  path: string,
  messages: ReadonlyMap<string, NewMessage>
): Promise<ReadonlyMap<string, string>> {
  const { account, client, context } = session
  const sources = new Map<string, string>()
  const keys = new Map(
    [...messages].flatMap(([id, one]) => {
      const key = messageKeyOf(one)
      return key === undefined ? [] : [[id, key] as const]
    })
  )
  if (keys.size === 0) return sources
  const { database } = context.kernel
  const copies = await database.read(() => findAnnouncedCopies(account.id, [...keys.values()]))
  if (copies.length === 0) return sources
  const recent = recentMovesOf(client)
  let checks = 0
  for (const [id, key] of keys) {
    const size = messages.get(id)?.size
    const candidates = copies.filter((one) => isCopy(one, { id, key, size }, sources))
    for (const { id: from } of candidates) {
      const isRemoved = recent.wasRemoved(from)
      if (!isRemoved && (checks++ >= MAX_CHECKED || !(await isGone(session, from)))) continue
      sources.set(id, from)
      recent.moved(from, id)
      break
    }
  }
  if (checks > 0) await openSnapshot(client, path)
  return sources
}

function isCopy(
  copy: AnnouncedCopy,
  message: { readonly id: string; readonly key: string; readonly size: number | undefined },
  sources: ReadonlyMap<string, string>
): boolean {
  const isUsed = [...sources.values()].includes(copy.id)
  return copy.key === message.key && copy.size === message.size && copy.id !== message.id && !isUsed
}

/** Whether a message is no longer in its mailbox. */
async function isGone({ client, account, context }: ChangeSession, id: string): Promise<boolean> {
  const key = parseMessageId(id)
  if (key === undefined) return false
  const mailbox = await findMailbox(context.kernel.database, client, account.id, key.mailbox)
  // A mailbox that is gone or was renamed says nothing about its messages.
  if (mailbox === undefined) return false
  try {
    const { uidValidity } = await openSnapshot(client, mailbox.path)
    return uidValidity === mailbox.uidValidity && !(await existsMessage(client, key.uid))
  } catch (error) {
    if (error instanceof FolderNotFound || isRejected(error)) return false
    throw error
  }
}
