import { setTimeout as wait } from 'node:timers/promises'
import type { NewMessage } from '../events/new-messages.ts'
import { messageIdOf } from '../messages/message-id.ts'
import { findMoves as findMoveRows, isMoving } from '../store/moved-messages.ts'
import type { EventMailbox, Moves } from './change-events.ts'
import type { ChangeSession } from './change-session.ts'
import { findForeignSources } from './foreign-moves.ts'
import { recentMovesOf } from './recent-moves.ts'

/** A request of the API stores the ids of a move as soon as the server tells them. */
const MAX_WAIT_MS = 5000
const POLL_MS = 20
/** A move that began earlier was cut off. */
const MAX_MOVE_MS = 60_000

/** Moves of removed messages, by UID. */
export async function findKnownMoves(
  session: ChangeSession,
  mailbox: number,
  uids: readonly number[]
): Promise<Moves> {
  const ids = uids.map((uid) => messageIdOf({ mailbox, uid }))
  const { targetOf, sourceOf } = await movesOf(session, ids)
  const recent = recentMovesOf(session.client)
  for (const id of ids) recent.removed(id)
  return { targetOf: (id) => targetOf(id) ?? recent.targetOf(id), sourceOf }
}

/** Moves of messages that arrived in the selected mailbox, which is selected afterwards. */
export async function findMoves(
  session: ChangeSession,
  { number: mailbox, path }: EventMailbox,
  messages: ReadonlyMap<number, NewMessage>
): Promise<Moves> {
  const byId = new Map([...messages].map(([uid, one]) => [messageIdOf({ mailbox, uid }), one]))
  const { targetOf, sourceOf } = await movesOf(session, [...byId.keys()])
  const others = [...byId].filter(([id]) => sourceOf(id) === undefined)
  const foreign = await findForeignSources(session, path, new Map(others))
  return { targetOf, sourceOf: (id) => sourceOf(id) ?? foreign.get(id) }
}

async function movesOf(session: ChangeSession, ids: readonly string[]): Promise<Moves> {
  if (ids.length === 0) return { targetOf: () => undefined, sourceOf: () => undefined }
  const { account, context } = session
  await untilMoved(session)
  const rows = await context.kernel.database.read(() => findMoveRows(account.id, ids))
  const targets = new Map(rows.map(({ source, target }) => [source, target]))
  const sources = new Map(rows.map(({ source, target }) => [target, source]))
  return { targetOf: (id) => targets.get(id), sourceOf: (id) => sources.get(id) }
}

/** Waits for requests that move messages of the account; the server tells of the move earlier. */
async function untilMoved({ account, context, signal }: ChangeSession): Promise<void> {
  const { database, now } = context.kernel
  const deadline = performance.now() + MAX_WAIT_MS
  const since = now().getTime() - MAX_MOVE_MS
  while (performance.now() < deadline) {
    if (!(await database.read(() => isMoving(account.id, since)))) return
    await wait(POLL_MS, undefined, { signal })
  }
}
