import type { NewEvent } from '../events/record-events.ts'
import { messageIdOf } from '../messages/message-id.ts'
import { flagChangesOf, type UpdatedMessage } from './diff.ts'

/** The mailbox that events are about. */
export interface EventMailbox {
  readonly account: string
  readonly path: string
  readonly specialUse: string | undefined
  /** In ids of messages. */
  readonly number: number
}

/** Ids of messages before and after a move. */
export interface Moves {
  readonly targetOf: (source: string) => string | undefined
  readonly sourceOf: (target: string) => string | undefined
}

export function deletedEvent(mailbox: EventMailbox, uid: number, moves: Moves): NewEvent {
  const id = messageIdOf({ mailbox: mailbox.number, uid })
  const movedTo = moves.targetOf(id)
  const data = { id, uid, ...(movedTo !== undefined && { movedTo }) }
  return { ...baseOf(mailbox), name: 'messageDeleted', key: [mailbox.number, uid], data }
}

export function addedEvent(
  mailbox: EventMailbox,
  uid: number,
  data: object,
  moves: Moves
): NewEvent {
  const movedFrom = moves.sourceOf(messageIdOf({ mailbox: mailbox.number, uid }))
  return {
    ...baseOf(mailbox),
    name: 'messageNew',
    key: [mailbox.number, uid],
    data: { ...data, ...(movedFrom !== undefined && { movedFrom }) }
  }
}

/**
 * The revision of the row makes two changes of a message two events; the time does so after a row
 * was removed, because the next one begins with the first revision.
 */
export function updatedEvent(
  mailbox: EventMailbox,
  updated: UpdatedMessage,
  { revision, time }: { readonly revision: number; readonly time: number }
): NewEvent {
  const { uid } = updated
  const id = messageIdOf({ mailbox: mailbox.number, uid })
  return {
    ...baseOf(mailbox),
    name: 'messageUpdated',
    key: [mailbox.number, uid, revision, time],
    data: { id, uid, changes: flagChangesOf(updated) }
  }
}

/** How often and how long a listed message was waited for. */
export interface MissingTime {
  readonly missingRetries: number
  /** In milliseconds. */
  readonly missingDelay: number
}

/** A message that the server lists but does not send. */
export function missingEvent(mailbox: EventMailbox, uid: number, tried: MissingTime): NewEvent {
  const id = messageIdOf({ mailbox: mailbox.number, uid })
  const data = { id, uid, ...tried }
  return { ...baseOf(mailbox), name: 'messageMissing', key: [mailbox.number, uid], data }
}

function baseOf({ account, path, specialUse }: EventMailbox) {
  return { account, path, specialUse }
}
