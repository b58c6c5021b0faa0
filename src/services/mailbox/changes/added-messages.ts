import { setTimeout as wait } from 'node:timers/promises'
import { type NewMessage, readNewMessages } from '../events/new-messages.ts'
import type { NewEvent } from '../events/record-events.ts'
import { existsMessage } from '../messages/imap-commands.ts'
import { addedEvent, type EventMailbox, type MissingTime, missingEvent } from './change-events.ts'
import type { ChangeSession } from './change-session.ts'
import { findMoves } from './moves.ts'
import type { MailboxSnapshot } from './open-snapshot.ts'

/** Some servers list a message before they can send it. */
const DELAYS_MS = [1000, 1700, 2900]

export interface AddedMessages {
  readonly events: readonly NewEvent[]
  /** UIDs of messages that are no longer there: they came and went. */
  readonly gone: ReadonlySet<number>
}

/** Events of messages that arrived in the selected mailbox. */
export async function addedMessages(
  session: ChangeSession,
  mailbox: EventMailbox,
  snapshot: MailboxSnapshot,
  uids: readonly number[]
): Promise<AddedMessages> {
  const { client, signal } = session
  const found = new Map<number, NewMessage>()
  const delays = new Map<number, MissingTime>()
  const gone = new Set<number>()

  async function read(wanted: readonly number[], delayed?: MissingTime): Promise<number[]> {
    for (const [uid, message] of await readNewMessages(session, snapshot, wanted)) {
      found.set(uid, message)
      if (delayed !== undefined) delays.set(uid, delayed)
    }
    const left = wanted.filter((uid) => !found.has(uid))
    for (const uid of left) if (!(await existsMessage(client, uid))) gone.add(uid)
    return left.filter((uid) => !gone.has(uid))
  }

  let left = await read(uids)
  let tried: MissingTime = { missingDelay: 0, missingRetries: 0 }
  for (const delay of DELAYS_MS) {
    if (left.length === 0) break
    await wait(delay, undefined, { signal })
    const { missingDelay, missingRetries } = tried
    tried = { missingDelay: missingDelay + delay, missingRetries: missingRetries + 1 }
    left = await read(left, tried)
  }
  const moves = await findMoves(session, mailbox, found)
  const events = uids.flatMap((uid): NewEvent[] => {
    const message = found.get(uid)
    if (message !== undefined) {
      return [addedEvent(mailbox, uid, { ...message.data, ...delays.get(uid) }, moves)]
    }
    return gone.has(uid) ? [] : [missingEvent(mailbox, uid, tried)]
  })
  return { events, gone }
}
