import { expungeMessages } from './imap-commands.ts'
import { type MovedIds, moveTo } from './move-messages.ts'
import type { OpenMailbox } from './open-mailbox.ts'
import { findSpecialUse, specialUseOf } from './resolve-path.ts'
import type { ChangingSession, MailSession } from './session.ts'

/** Messages in these mailboxes are deleted for good. */
const FINAL_USES: readonly unknown[] = ['\\Trash', '\\Junk']

export type Removal =
  | { readonly deleted: true }
  | { readonly deleted: false; readonly destination: string; readonly moved: MovedIds }

/**
 * Moves messages of the selected mailbox to the trash. They are deleted if they are in the trash or
 * in junk, if there is no trash, or by `force`.
 */
export async function removeFrom(
  session: ChangingSession,
  mailbox: OpenMailbox,
  uids: readonly number[],
  force: boolean
): Promise<Removal> {
  const { client } = session
  const destination = force ? undefined : await trashFor(session, mailbox)
  if (destination === undefined) {
    await expungeMessages(client, uids)
    return { deleted: true }
  }
  const moved = await moveTo(session, mailbox, uids, destination)
  return { deleted: false, destination, moved }
}

async function trashFor(
  { client, hints }: MailSession,
  { path }: OpenMailbox
): Promise<string | undefined> {
  if (FINAL_USES.includes(await specialUseOf(client, hints, path))) return undefined
  const trash = await findSpecialUse(client, hints, '\\Trash')
  return trash?.path === path ? undefined : trash?.path
}
