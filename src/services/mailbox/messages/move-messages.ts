import { moveMessages } from './imap-commands.ts'
import { numberOfMailbox } from './mailbox-numbers.ts'
import { messageIdOf } from './message-id.ts'
import type { OpenMailbox } from './open-mailbox.ts'
import { recordMove } from './record-move.ts'
import { asFolderNotFound } from './rejected-command.ts'
import type { ChangingSession, MailSession } from './session.ts'

/** New ids by UIDs of the old ones. */
export interface MovedIds {
  readonly idOf: (uid: number) => string | undefined
  readonly uidOf: (uid: number) => number | undefined
}

/** Of a server that does not tell the new UIDs. */
const UNKNOWN_IDS: MovedIds = { idOf: () => undefined, uidOf: () => undefined }

/** Moves messages of the selected mailbox. Throws `FolderNotFound`. */
export async function moveTo(
  session: ChangingSession,
  source: OpenMailbox,
  uids: readonly number[],
  destination: string
): Promise<MovedIds> {
  if (destination === source.path) return stayingIds(session, source)
  return recordMove(session, async () => {
    const ids = await moveAway(session, uids, destination)
    return { ids, pairs: await idMapOf(session, source, uids, ids) }
  })
}

async function moveAway(
  { client, database, account }: MailSession,
  uids: readonly number[],
  destination: string
): Promise<MovedIds> {
  const moved = await moveMessages(client, uids, destination).catch(asFolderNotFound)
  if (moved === undefined) return UNKNOWN_IDS
  const { uidValidity } = moved
  const mailbox = await numberOfMailbox(database, client, account, {
    uidValidity,
    path: destination
  })
  const uidOf = (uid: number) => moved.uids.get(uid)
  return {
    uidOf,
    idOf(uid) {
      const found = uidOf(uid)
      return found === undefined ? undefined : messageIdOf({ mailbox, uid: found })
    }
  }
}

/** A message that is there already keeps its id. */
async function stayingIds(session: MailSession, mailbox: OpenMailbox): Promise<MovedIds> {
  const number = await numberOf(session, mailbox)
  return { uidOf: (uid) => uid, idOf: (uid) => messageIdOf({ mailbox: number, uid }) }
}

/** Old and new ids of messages. */
export async function idMapOf(
  session: MailSession,
  source: OpenMailbox,
  uids: readonly number[],
  moved: MovedIds
): Promise<(readonly [from: string, to: string])[]> {
  const mailbox = await numberOf(session, source)
  return uids.flatMap((uid) => {
    const id = moved.idOf(uid)
    return id === undefined ? [] : [[messageIdOf({ mailbox, uid }), id] as const]
  })
}

function numberOf({ client, database, account }: MailSession, mailbox: OpenMailbox) {
  return numberOfMailbox(database, client, account, mailbox)
}
